import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { createKeys, type Keys } from './lib/keys.ts';
import type { Random } from './lib/random.ts';

const FILE_NAME = 'master.key';

/** From the environment, or from a file beside the embedded database that only its owner can read. */
export async function loadKeys(config: Config, random: Random): Promise<Keys> {
  const text = config.masterKey?.reveal() ?? (await readOrCreateKeyFile(config.dataDir, random));
  const previous = config.previousMasterKeys.map((key) => Buffer.from(key.reveal(), 'base64'));
  return createKeys(Buffer.from(text, 'base64'), previous, random);
}

async function readOrCreateKeyFile(dataDir: string, random: Random): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, FILE_NAME);
  try {
    const file = await open(path, 'wx', 0o600);
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
  return text;
}
