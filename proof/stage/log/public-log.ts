/*
 * The transparency log as strangers see it: readers in this file, witnesses and lying hosts in others. Every test and
 * tool may import it. It reads what is published and nothing else.
 */

import { decodeBase64Url } from '@payassent/protocol';
import {
  type Checkpoint,
  decodeEntries,
  grow,
  leafHash,
  type NoteKey,
  openCheckpoint,
  rootOf,
  tilePath,
} from '@payassent/protocol/log';

/** The transparency log as a stranger sees it: over HTTP, with nothing but the published keys. */
interface PublicLog {
  checkpoint: Checkpoint;
  /** Those that were given and whose cosignature verifies. */
  witnesses: NoteKey[];
  entries: string[];
}

export interface PublishedKey {
  kid: string;
  alg: string;
  public_key: string;
  use: 'evidence' | 'log';
  created_at: string;
  retired_at: string | null;
}

export async function readKeys(url: string): Promise<PublishedKey[]> {
  const { keys } = (await (await fetch(`${url}/.well-known/svc-keys.json`)).json()) as {
    keys: PublishedKey[];
  };
  return keys;
}

/** The keys under which checkpoints of the log are accepted, previous ones too. */
export async function logKeysOf(url: string): Promise<NoteKey[]> {
  return (await readKeys(url))
    .filter(({ use }) => use === 'log')
    .map((key) => ({
      name: `${new URL(url).host}/log`,
      kind: 'signature',
      publicKey: decodeBase64Url(key.public_key) ?? new Uint8Array(),
    }));
}

export async function readCheckpoint(
  url: string,
  witnesses: readonly NoteKey[] = [],
): Promise<{ note: string; checkpoint: Checkpoint; witnesses: NoteKey[] }> {
  const note = await (await fetch(`${url}/log/checkpoint`)).text();
  for (const key of await logKeysOf(url)) {
    const opened = openCheckpoint(note, key, witnesses);
    if (opened) return { note, ...opened };
  }
  throw new Error(`no published key opens the checkpoint: ${note}`);
}

/** Every entry, after the root that was signed has been computed from them again. */
export async function readLog(url: string, witnesses: readonly NoteKey[] = []): Promise<PublicLog> {
  const opened = await readCheckpoint(url, witnesses);
  const { size, root } = opened.checkpoint;
  const entries: Uint8Array[] = [];
  while (entries.length < size) {
    const index = entries.length / 256;
    const width = Math.min(256, size - entries.length);
    const response = await fetch(`${url}/log/${tilePath({ level: 'entries', index, width })}`);
    const read = decodeEntries(new Uint8Array(await response.arrayBuffer()));
    if (!response.ok || read?.length !== width) throw new Error(`entries ${index}: ${response.status}`);
    entries.push(...read);
  }
  const computed = rootOf(grow({ size: 0, hashes: [] }, entries.map(leafHash)).edge);
  if (!Buffer.from(computed).equals(root)) throw new Error('the entries do not give the signed root');
  return {
    checkpoint: opened.checkpoint,
    witnesses: opened.witnesses,
    entries: entries.map((entry) => Buffer.from(entry).toString('utf8')),
  };
}
