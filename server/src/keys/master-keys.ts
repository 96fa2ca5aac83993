import type { Act } from '../act.ts';
import { type Database, type Sql, transaction } from '../db/open.ts';
import { OperatorError, StartError } from '../errors.ts';
import type { Keys } from '../lib/keys.ts';
import type { KeyUse } from './key-use.ts';

/** The configured master keys do not fit the database. */
export class MasterKeyError extends StartError {}

export interface KeyStatus {
  key_id: string;
  is_current: boolean;
  is_configured: boolean;
  /** The rows that still have to be read with it. */
  needed_by: { name: string; rows: number; ends: string }[];
}

/** Checks the configured keys at a start, and records them. */
export async function admitMasterKeys(
  owner: Database,
  keys: Keys,
  uses: readonly KeyUse[],
  now: Date,
): Promise<void> {
  await transaction(owner, async (tx) => {
    // Of two processes that start with two fresh keys on a fresh database one is rejected.
    await tx`lock table master_keys in share row exclusive mode`;
    await refuseWrongKeys(tx, keys, uses, now);
    // A key that is no longer configured anywhere and needed by nothing is history, and proves nothing.
    await tx`delete from master_keys where key_id <> all(${[...keys.keyIds]}::text[])`;
    for (const keyId of keys.keyIds)
      await tx`
        insert into master_keys (key_id, check_value, first_used_at)
        values (${keyId}, ${checkValueOf(keys, keyId)}, ${now})
        on conflict do nothing`;
  });
}

/**
 * Rejects keys with which something stored could not be read, or that the database has never seen: a new key in place
 * of a lost one would otherwise be noticed much later, one failing call after the other.
 */
export async function refuseWrongKeys(
  sql: Sql,
  keys: Keys,
  uses: readonly KeyUse[],
  now: Date,
): Promise<KeyStatus[]> {
  const known = await sql<{ key_id: string; check_value: Buffer }[]>`
    select key_id, check_value from master_keys order by first_used_at`;
  for (const { key_id, check_value } of known) {
    if (keys.keyIds.includes(key_id) && !checkValueOf(keys, key_id).equals(check_value))
      throw new MasterKeyError(
        `Master key ${key_id} is configured, but it is not the key that this database knows by that id. Restore the right one.`,
      );
  }
  const status = await keyStatus(sql, keys, uses, now);
  const missing = status.filter(({ is_configured, needed_by }) => !is_configured && needed_by.length > 0);
  if (missing.length > 0) throw new MasterKeyError(missingText(missing));
  const knownIds = known.map(({ key_id }) => key_id);
  if (known.length > 0 && !knownIds.some((keyId) => keys.keyIds.includes(keyId)))
    throw new MasterKeyError(strangeText(keys, knownIds));
  return status;
}

/** Every key that is configured or needed, the current one first. */
export async function keyStatus(
  sql: Sql,
  keys: Keys,
  uses: readonly KeyUse[],
  now: Date,
): Promise<KeyStatus[]> {
  const found = new Map<string, KeyStatus>();
  const statusOf = (keyId: string): KeyStatus => {
    const status = found.get(keyId) ?? {
      key_id: keyId,
      is_current: keyId === keys.currentKeyId,
      is_configured: keys.keyIds.includes(keyId),
      needed_by: [],
    };
    found.set(keyId, status);
    return status;
  };
  for (const keyId of keys.keyIds) statusOf(keyId);
  for (const { name, ends, count } of uses)
    for (const { key_id, rows } of await count(sql, now))
      statusOf(key_id).needed_by.push({ name, rows, ends });
  return [...found.values()];
}

const BATCH = 100;

/** Makes every value that can be made again with the current key, a few rows at a time. Safe to stop and to repeat. */
export async function rotateKeys(
  db: Database,
  newAct: () => Act,
  keys: Keys,
  uses: readonly KeyUse[],
): Promise<{ name: string; rows: number }[]> {
  const moved: { name: string; rows: number }[] = [];
  for (const { name, rotate } of uses) {
    if (!rotate) continue;
    let rows = 0;
    for (;;) {
      const batch = await transaction(db, (tx) => rotate(tx, newAct(), keys, BATCH));
      rows += batch;
      if (batch < BATCH) break;
    }
    moved.push({ name, rows });
  }
  return moved;
}

/** For a key that is lost for good: ends what only it could read, so that the service starts without it. */
export async function abandonKey(
  db: Database,
  act: Act,
  keys: Keys,
  uses: readonly KeyUse[],
  keyId: string,
): Promise<{ name: string; rows: number }[]> {
  if (keys.keyIds.includes(keyId))
    throw new OperatorError(`Master key ${keyId} is configured: nothing needs to be abandoned.`);
  return transaction(db, async (tx) => {
    const ended: { name: string; rows: number }[] = [];
    for (const { name, abandon } of uses) ended.push({ name, rows: await abandon(tx, act, keys, keyId) });
    const forgotten = await tx`delete from master_keys where key_id = ${keyId}`;
    if (forgotten.count === 0 && ended.every(({ rows }) => rows === 0))
      throw new OperatorError(`Nothing here was made with a master key ${keyId}.`);
    return ended;
  });
}

function checkValueOf(keys: Keys, keyId: string): Buffer {
  return keys.mac('key-check', keyId, keyId);
}

function missingText(missing: readonly KeyStatus[]): string {
  const list = missing.map(
    ({ key_id, needed_by }) =>
      `${key_id} (${needed_by.map(({ rows, name }) => `${rows} ${name}`).join(', ')})`,
  );
  const [first] = missing;
  return (
    `What is stored in the database needs a master key that is not configured: ${list.join('; ')}. ` +
    `Add it to SVC_MASTER_KEY_PREVIOUS${inKeyFile}. ` +
    `If it is lost for good, \`payassent keys abandon ${first?.key_id}\` ends what needs it.`
  );
}

function strangeText(keys: Keys, known: readonly string[]): string {
  return (
    `The database has never worked with master key ${keys.keyIds.join(', ')}, only with ${known.join(', ')}. ` +
    `Set SVC_MASTER_KEY to that key${inKeyFile}; for a change of key put the previous one into SVC_MASTER_KEY_PREVIOUS. ` +
    `If it is lost for good, \`payassent keys abandon ${known.at(-1)}\` lets a new one take its place.`
  );
}

const inKeyFile = ', or put it back into the file master.key of the data folder';
