import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { createKeys, type Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';

const FILE_NAME = 'master.key';

export interface LoadedKeys {
  keys: Keys;
  /** The file of a newly created key. */
  newKeyFile: string | undefined;
}

/** From the environment, or from a file next to the embedded database that only its owner can read. */
export async function loadKeys(config: Config, random: Random): Promise<LoadedKeys> {
  const previous = config.previousMasterKeys.map((key) => Buffer.from(key.reveal(), 'base64'));
  const keysOf = (text: string) => createKeys(Buffer.from(text, 'base64'), previous, random);
  if (config.masterKey) return { keys: keysOf(config.masterKey.reveal()), newKeyFile: undefined };
  const file = await readOrCreateKeyFile(config.dataDir, random);
  return { keys: keysOf(file.text), newKeyFile: file.isNew ? file.path : undefined };
}

/** The file a key is read from; undefined where the environment has it. */
export function keyFileOf(config: Config): string | undefined {
  return config.masterKey ? undefined : join(config.dataDir, FILE_NAME);
}

/** A key that the database did not accept would block the right one. */
export async function removeKeyFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

async function readOrCreateKeyFile(
  dataDir: string,
  random: Random,
): Promise<{ path: string; text: string; isNew: boolean }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, FILE_NAME);
  let isNew = false;
  try {
    const file = await open(path, 'wx', 0o600);
    isNew = true;
    try {
      await file.writeFile(`${Buffer.from(random.bytes(32)).toString('base64')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  const text = (await readFile(path, 'utf8')).trim();
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) {
    throw new Error(
      `The master key file ${path} is damaged: restore it from a backup, or set SVC_MASTER_KEY.`,
    );
  }
  return { path, text, isNew };
}
