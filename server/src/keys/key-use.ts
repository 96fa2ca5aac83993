import type { Act } from '../act.ts';
import type { Sql, Tx } from '../db/open.ts';
import type { Keys } from '../lib/keys.ts';

export interface KeyCount {
  key_id: string;
  rows: number;
}

/** A kind of stored value that is read with the master key it was made with. */
export interface KeyUse {
  /** In the plural: what the rows are. */
  name: string;
  /** How many rows still have to be read with each key. */
  count(sql: Sql, now: Date): Promise<KeyCount[]>;
  /** Makes up to `limit` rows again with the current key and answers how many. Absent where that would change the value. */
  rotate?(tx: Tx, act: Act, keys: Keys, limit: number): Promise<number>;
  /** How rows that cannot be made again cease to need their key. */
  ends: string;
  /** A key that is lost for good: ends what only it could read. Answers how many rows. */
  abandon(tx: Tx, act: Act, keys: Keys, keyId: string): Promise<number>;
}
