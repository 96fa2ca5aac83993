import { decodeBase64, decodeBase64Url, encodeBase64 } from '@payassent/protocol';
import { type PublishedKey, parseEntry } from '@payassent/protocol/evidence';
import {
  decodeEntries,
  type Edge,
  grow,
  leafHash,
  openCheckpoint,
  rootOf,
  TILE_WIDTH,
  tilePath,
} from '@payassent/protocol/log';
import { LocalError } from '../command.ts';

/** What a monitor remembers: the last checkpoint it accepted, and what it takes to continue the tree from there. */
export interface MonitorState {
  checkpoint: string;
  size: number;
  /** Of the complete subtrees, base64. */
  edge: string[];
  /** The latest time of any entry. */
  latest_at: string;
}

export const NEW_STATE: MonitorState = { checkpoint: '', size: 0, edge: [], latest_at: '' };

/** The log contradicts itself, or what its reader knows. */
export class Alarm extends Error {
  readonly kind: 'unsigned' | 'shrunk' | 'forked' | 'unreadable_entry' | 'backdated' | 'unknown_payee';
  constructor(kind: Alarm['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export type LogEntry = NonNullable<ReturnType<typeof parseEntry>>;

/** Of an entry that is shown because it cannot be read. */
const LONGEST_SHOWN = 400;

type ReadText = (path: string) => Promise<Uint8Array>;

/** Reads on from a state: every new entry, after the root that is signed has been computed from them. */
export async function readOn(
  baseUrl: string,
  state: MonitorState,
  read: ReadText,
): Promise<{ state: MonitorState; entries: LogEntry[] }> {
  const note = textOf(await read('/log/checkpoint'));
  const { size, root } = await opened(baseUrl, note, read);
  if (size < state.size)
    throw new Alarm(
      'shrunk',
      `The log has ${size} entries; it had ${state.size} before. Keep both checkpoints.`,
    );
  const added = await readEntries(state.size, size, read);
  const { edge } = grow(edgeOf(state), added.map(leafHash));
  if (!equal(rootOf(edge), root))
    throw new Alarm(
      'forked',
      `The log of ${size} entries does not begin with the ${state.size} entries that were there before, or is not what it signs. Keep both checkpoints: together they prove it.`,
    );
  const entries = added.map((bytes, n) => entryOf(textOf(bytes), state.size + n));
  return {
    entries,
    state: {
      checkpoint: note,
      size,
      edge: edge.hashes.map(encodeBase64),
      latest_at: [state.latest_at, ...entries.map(({ at }) => at)].reduce((a, b) => (a > b ? a : b)),
    },
  };
}

async function opened(baseUrl: string, note: string, read: ReadText) {
  const name = `${new URL(baseUrl).host}/log`;
  const { keys } = JSON.parse(textOf(await read('/.well-known/svc-keys.json'))) as { keys: PublishedKey[] };
  for (const { use, public_key } of keys) {
    const publicKey = decodeBase64Url(public_key);
    if (use !== 'log' || !publicKey) continue;
    const found = openCheckpoint(note, { name, kind: 'signature', publicKey });
    if (found) return found.checkpoint;
  }
  throw new Alarm('unsigned', `No published key of ${name} has signed its checkpoint.`);
}

async function readEntries(from: number, until: number, read: ReadText): Promise<Uint8Array[]> {
  const entries: Uint8Array[] = [];
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < until; index += 1) {
    const width = Math.min(TILE_WIDTH, until - index * TILE_WIDTH);
    const bundle = decodeEntries(await read(`/log/${tilePath({ level: 'entries', index, width })}`));
    if (bundle?.length !== width) throw new Alarm('forked', `Entries ${index} of the log are incomplete.`);
    entries.push(...bundle.slice(Math.max(0, from - index * TILE_WIDTH)));
  }
  return entries;
}

/**
 * An entry that verifiers accept. Any other raises an alarm for every watcher: a watcher that searches for the
 * canonical spelling of its domain would miss a second spelling.
 */
function entryOf(text: string, position: number): LogEntry {
  const entry = parseEntry(text);
  if (entry) return entry;
  throw new Alarm(
    'unreadable_entry',
    `Entry ${position} is none of this log, or names a domain in another spelling than lower-case A-labels: ${text.slice(0, LONGEST_SHOWN)}. No verifier accepts it; it may be about your domain.`,
  );
}

function edgeOf({ size, edge }: MonitorState): Edge {
  const hashes = edge.map((hash) => decodeBase64(hash));
  if (!hashes.every((hash) => hash?.length === 32))
    throw new LocalError('state_unreadable', 'The file of --state is not one that this command wrote.');
  return { size, hashes: hashes as Uint8Array[] };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a).equals(b);
}
