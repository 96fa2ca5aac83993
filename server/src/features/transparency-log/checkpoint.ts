import { formatCheckpoint, formatNote, type NoteKey, rootOf, signNote } from '@payassent/protocol/log';
import type { Sql } from '../../db/open.ts';
import type { SigningKeys } from '../../keys/signing-keys.ts';
import { readEdge } from './log-sql.ts';
import { rootAt } from './prove.ts';
import { readCosignatures } from './witness-sql.ts';

/** This service's log, and the signer of its checkpoints. */
export interface LogSigner {
  baseUrl: string;
  signing: SigningKeys;
  /** What checkpoints are verified with. */
  key: NoteKey;
  /** The line of the log's own signature. */
  sign(text: string): string;
}

interface Surroundings {
  config: { baseUrl: string };
  signing: SigningKeys;
}

/** The last line is cached, because most readers request the same: signing takes a millisecond. */
export function createLogSigner({ config, signing }: Surroundings): LogSigner {
  const { baseUrl } = config;
  const name = logOrigin(baseUrl);
  let last = { text: '', line: '' };
  return {
    baseUrl,
    signing,
    key: { name, kind: 'signature', publicKey: signing.log.publicKey },
    sign(text) {
      if (last.text !== text) last = { text, line: signNote(text, name, signing.log.seed) };
      return last.line;
    },
  };
}

/** The name of the log and of its signing key: the service's address and a suffix. */
function logOrigin(baseUrl: string): string {
  return `${new URL(baseUrl).host}/log`;
}

/** The text that log and witnesses sign, for a tree of this size. */
export function checkpointText(baseUrl: string, size: number, root: Uint8Array): string {
  return formatCheckpoint({ origin: logOrigin(baseUrl), size, root });
}

/**
 * The newest checkpoint with its current cosignatures. Always from the committed head: the same size has the same root
 * in every process, and signatures of this kind are deterministic.
 */
export async function currentCheckpoint(sql: Sql, log: LogSigner): Promise<string> {
  const [edge, cosignatures] = await Promise.all([readEdge(sql), readCosignatures(sql, log.key.name)]);
  const text = checkpointText(log.baseUrl, edge.size, rootOf(edge));
  return withSignatures(
    text,
    log,
    cosignatures.filter(({ size }) => size === edge.size).map(({ line }) => line),
  );
}

/** The checkpoint for the proof of an entry: one that witnesses have cosigned, where there is one. */
export async function checkpointFor(
  sql: Sql,
  log: LogSigner,
  position: number,
): Promise<{ size: number; checkpoint: string }> {
  const cosignatures = await readCosignatures(sql, log.key.name);
  const sizes = cosignatures.map(({ size }) => size).filter((size) => size > position);
  const witnessesAt = (size: number) => cosignatures.filter((cosigned) => cosigned.size === size);
  const [best] = sizes.sort((a, b) => witnessesAt(b).length - witnessesAt(a).length || b - a);
  const size = best ?? (await readEdge(sql)).size;
  const text = checkpointText(log.baseUrl, size, await rootAt(sql, size));
  return {
    size,
    checkpoint: withSignatures(
      text,
      log,
      witnessesAt(size).map(({ line }) => line),
    ),
  };
}

export function withSignatures(text: string, log: LogSigner, others: readonly string[]): string {
  return formatNote(text, [log.sign(text), ...others]);
}
