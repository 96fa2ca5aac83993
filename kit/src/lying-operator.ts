import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  canonicalJson,
  canonicalJsonBytes,
  ed25519PublicKey,
  encodeBase64Url,
  signEd25519,
} from '@payassent/protocol';
import {
  completeSubtrees,
  encodeEntries,
  foldPairs,
  formatCheckpoint,
  formatLogProof,
  formatNote,
  grow,
  inclusionRanges,
  joinSubtrees,
  leafHash,
  type NoteKey,
  parseTilePath,
  type Range,
  rootOf,
  signNote,
  stretchOf,
} from '@payassent/protocol/log';
import { onTestFinished } from 'vitest';
import type { Body } from './client.ts';

/** An operator that holds every key of a service, and shows each reader of the log what it likes. */
export interface LyingOperator {
  url: string;
  logKey: NoteKey;
  keys: { kid: string; alg: 'Ed25519'; public_key: string; use: 'evidence' | 'log' }[];
  /** What readers are shown from now on. */
  show(entries: readonly string[]): void;
  checkpoint(): string;
  /** A bundle of an honest service as this one would issue it: changed, with proofs of its log, and signed. */
  issue(honest: string, change?: (told: Body) => void): string;
}

const LOG_SEED = new Uint8Array(32).fill(7);
const EVIDENCE_SEED = new Uint8Array(32).fill(8);

export async function lyingOperator(): Promise<LyingOperator> {
  let shown: readonly string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/.well-known/svc-keys.json') return response.end(JSON.stringify({ keys: operator.keys }));
    if (path === '/log/checkpoint') return response.end(operator.checkpoint());
    const { level = 0, index = 0, width = 0 } = parseTilePath(path.slice('/log/'.length)) ?? {};
    const from = index * 256;
    const tree = treeOf(shown);
    const body =
      level === 'entries'
        ? encodeEntries(tree.entries.slice(from, from + width))
        : Buffer.concat(tree.hashes(level).slice(from, from + width));
    return response.end(Buffer.from(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const logKey: NoteKey = {
    name: `${host}/log`,
    kind: 'signature',
    publicKey: ed25519PublicKey(LOG_SEED),
  };
  const published = (kid: string, seed: Uint8Array, use: 'evidence' | 'log') =>
    ({ kid, alg: 'Ed25519', public_key: encodeBase64Url(ed25519PublicKey(seed)), use }) as const;
  const operator: LyingOperator = {
    url: `http://${host}`,
    logKey,
    keys: [published('log_1', LOG_SEED, 'log'), published('evidence_1', EVIDENCE_SEED, 'evidence')],
    show: (entries) => {
      shown = entries;
    },
    checkpoint: () => {
      const { edge } = treeOf(shown);
      const text = formatCheckpoint({ origin: logKey.name, size: edge.size, root: rootOf(edge) });
      return formatNote(text, [signNote(text, logKey.name, LOG_SEED)]);
    },
    issue: (honest, change = () => undefined) => {
      const { signature: _, ...told } = JSON.parse(honest);
      told.service.origin = operator.url;
      change(told);
      const tree = treeOf(shown);
      for (const bundled of told.log.entries) {
        const index = shown.indexOf(bundled.entry);
        if (index < 0) continue;
        bundled.proof = formatLogProof({
          index,
          hashes: inclusionRanges(index, shown.length).map(tree.hash),
          checkpoint: operator.checkpoint(),
        });
      }
      const value = encodeBase64Url(signEd25519(canonicalJsonBytes(told), EVIDENCE_SEED));
      return canonicalJson({ ...told, signature: { kid: 'evidence_1', value } });
    },
  };
  return operator;
}

function treeOf(texts: readonly string[]) {
  const entries = texts.map((text) => Buffer.from(text, 'utf8'));
  const { edge, made } = grow({ size: 0, hashes: [] }, entries.map(leafHash));
  const hashes = (level: number) => made.filter((one) => one.level === level).map(({ hash }) => hash);
  const hash = (range: Range) =>
    joinSubtrees(
      completeSubtrees(range).map((subtree) => {
        const { level, first, count } = stretchOf(subtree);
        return foldPairs(hashes(level).slice(first, first + count));
      }),
    );
  return { entries, edge, hashes, hash };
}
