import type { Act } from '../act.ts';
import type { Sql, Tx } from '../db/open.ts';
import type { Keys } from '../lib/keys.ts';

export interface KeyCount {
  key_id: string;
  rows: number;
}

/** A kind of stored value that is read with the master key it was made with. */
export interface KeyUse {
  /** The rows, in the plural. */
  name: string;
  /** How many rows still have to be read with each key. */
  count(sql: Sql, now: Date): Promise<KeyCount[]>;
  /**
   * Makes up to `limit` rows again with the current key and returns how many. Absent where that would change the value.
   */
  rotate?(tx: Tx, act: Act, keys: Keys, limit: number): Promise<number>;
  /** How rows that cannot be re-encrypted cease to need their key. */
  ends: string;
  /** For a key that is lost for good: ends what only it could read. Returns how many rows. */
  abandon(tx: Tx, act: Act, keys: Keys, keyId: string): Promise<number>;
}
