import {
  canonicalJson,
  canonicalJsonBytes,
  ed25519PublicKey,
  encodeBase64Url,
  evidenceDigest,
  signEd25519,
} from '@payassent/protocol';
import { clearEntryText } from '@payassent/protocol/evidence';
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
import type { Body } from '../service/client.ts';
import type { PublishedKey } from './public-log.ts';

/** The log of an operator that holds every key of a service, and shows each reader what it likes. */
export interface LyingLog {
  url: string;
  logKey: NoteKey;
  /** As it publishes them; a test may retire one. */
  keys: PublishedKey[];
  /** What readers are shown from now on. */
  show(entries: readonly string[]): void;
  /** What a reader of a path gets. */
  read(path: string): Uint8Array;
  checkpoint(): string;
  /** A bundle of an honest service as this one would issue it: changed, with proofs of its log, and signed. */
  issue(honest: string, change?: (told: Body) => void): string;
}

const KEYS_MADE_AT = '2026-01-01T00:00:00.000Z';
const LOG_SEED = new Uint8Array(32).fill(7);
const EVIDENCE_SEED = new Uint8Array(32).fill(8);

/** Spellings of a domain that its owner, who compares bytes, would not find in the log. The domain has an i. */
export function misspellings(domain: string): [how: string, domain: string][] {
  const place = domain.indexOf('i');
  const withI = (other: string) => `${domain.slice(0, place)}${other}${domain.slice(place + 1)}`;
  return [
    ['upper case', `${domain.slice(0, 1).toUpperCase()}${domain.slice(1)}`],
    ['a final dot', `${domain}.`],
    ['a leading blank', ` ${domain}`],
    ['a zero-width space', `${domain.slice(0, 3)}\u200b${domain.slice(3)}`],
    ['a dotless i', withI('\u0131')],
    ['a Cyrillic i', withI('\u0456')],
    ['more than 253 bytes', `${'a.'.repeat(120)}${domain}`],
  ];
}

/**
 * The payee of an honest bundle, with the claim that another domain proves it: how the bundle changes, and the log's
 * entry.
 */
export function underDomain(honest: string, domain: string): { entry: string; change(told: Body): void } {
  const { payee, log } = JSON.parse(honest);
  const evidence_digest = evidenceDigest({ ...payee.evidence.input, domain });
  const at = new Date(JSON.parse(log.entries[0].entry).at);
  const entry = clearEntryText('payee.activated', at, { domain, evidence_digest });
  return {
    entry,
    change: (told) => {
      told.payee.evidence.input.domain = domain;
      told.payee.evidence.evidence_digest = evidence_digest;
      Object.assign(told.request.payee, { domain, evidence_digest });
      told.log.entries[0] = { entry };
    },
  };
}

export function createLyingLog(host: string): LyingLog {
  let shown: readonly string[] = [];
  const logKey: NoteKey = {
    name: `${host}/log`,
    kind: 'signature',
    publicKey: ed25519PublicKey(LOG_SEED),
  };
  const published = (kid: string, seed: Uint8Array, use: 'evidence' | 'log'): PublishedKey => ({
    kid,
    alg: 'Ed25519',
    public_key: encodeBase64Url(ed25519PublicKey(seed)),
    use,
    created_at: KEYS_MADE_AT,
    retired_at: null,
  });
  const log: LyingLog = {
    url: `http://${host}`,
    logKey,
    keys: [published('log_1', LOG_SEED, 'log'), published('evidence_1', EVIDENCE_SEED, 'evidence')],
    show: (entries) => {
      shown = entries;
    },
    read: (path) => {
      if (path === '/.well-known/svc-keys.json') return Buffer.from(JSON.stringify({ keys: log.keys }));
      if (path === '/log/checkpoint') return Buffer.from(log.checkpoint());
      const { level = 0, index = 0, width = 0 } = parseTilePath(path.slice('/log/'.length)) ?? {};
      const from = index * 256;
      const tree = treeOf(shown);
      return level === 'entries'
        ? encodeEntries(tree.entries.slice(from, from + width))
        : Buffer.concat(tree.hashes(level).slice(from, from + width));
    },
    checkpoint: () => {
      const { edge } = treeOf(shown);
      const text = formatCheckpoint({ origin: logKey.name, size: edge.size, root: rootOf(edge) });
      return formatNote(text, [signNote(text, logKey.name, LOG_SEED)]);
    },
    issue: (honest, change = () => undefined) => {
      const { signature: _, ...told } = JSON.parse(honest);
      told.service.origin = log.url;
      change(told);
      const tree = treeOf(shown);
      for (const bundled of told.log.entries) {
        const index = shown.indexOf(bundled.entry);
        if (index < 0) continue;
        bundled.proof = formatLogProof({
          index,
          hashes: inclusionRanges(index, shown.length).map(tree.hash),
          checkpoint: log.checkpoint(),
        });
      }
      const value = encodeBase64Url(signEd25519(canonicalJsonBytes(told), EVIDENCE_SEED));
      return canonicalJson({ ...told, signature: { kid: 'evidence_1', value } });
    },
  };
  return log;
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
