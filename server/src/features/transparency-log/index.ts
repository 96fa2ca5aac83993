// The transparency log: its queue, tree, checkpoints and witnesses (C2SP). Others import `append` to write; evidence
// imports `entries-of` and `checkpoint` to prove. An entry commits with its act, and a published checkpoint is never
// revoked.

import type { IncomingMessage } from 'node:http';
import { encodeBase64Url } from '@payassent/protocol';
import { encodeEntries, parseTilePath, TILE_WIDTH } from '@payassent/protocol/log';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Document, DocumentAnswer } from '../../http/document.ts';
import { toTimestamp } from '../../lib/clock.ts';
import type { Feature } from '../feature.ts';
import { currentCheckpoint, type LogSigner } from './checkpoint.ts';
import { integrateJob } from './integrate-job.ts';
import { readEntries, readSigningKeys, readTile } from './log-sql.ts';
import { witnessJob } from './witness-job.ts';

export const transparencyLogFeature = ({ log }: { log: LogSigner }): Feature => ({
  name: 'transparency-log',
  documents: logDocuments(log),
  jobs: [integrateJob, witnessJob(log)],
});

const PREFIX = '/log/';

/** The documents for verifiers: the keys, the newest checkpoint, and the tree itself as C2SP tlog-tiles. */
function logDocuments(log: LogSigner): Document[] {
  return [
    { method: 'GET', path: '/.well-known/svc-keys.json', isCounted: true, serve: keys },
    { method: 'GET', path: '/log/checkpoint', isCounted: true, serve: (context) => checkpoint(context, log) },
    { method: 'GET', path: '/log/tile/*', isCounted: true, serve: tile },
  ];
}

async function keys({ serviceDb }: Context): Promise<DocumentAnswer> {
  const rows = await readSigningKeys(serviceDb);
  const list = rows.map(({ kid, use, public_key, created_at, retired_at }) => ({
    kid,
    alg: 'Ed25519',
    public_key: encodeBase64Url(public_key),
    use,
    created_at: toTimestamp(created_at),
    retired_at: retired_at && toTimestamp(retired_at),
  }));
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ keys: list }),
    headers: { 'cache-control': 'no-cache' },
  };
}

async function checkpoint({ serviceDb }: Context, log: LogSigner): Promise<DocumentAnswer> {
  return {
    contentType: 'text/plain; charset=utf-8',
    body: await currentCheckpoint(serviceDb, log),
    headers: { 'cache-control': 'no-cache' },
  };
}

/** A tile of a given width never changes, so it may be cached forever; a wider one has another path. */
async function tile({ serviceDb }: Context, request: IncomingMessage): Promise<DocumentAnswer> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const asked = parseTilePath(path.slice(PREFIX.length));
  if (!asked) throw notFound();
  const { level, index, width } = asked;
  const parts =
    level === 'entries'
      ? await readEntries(serviceDb, index, width)
      : await readTile(serviceDb, level, index, width);
  if (parts.length !== width) throw notFound();
  return {
    contentType: 'application/octet-stream',
    body: Buffer.from(level === 'entries' ? encodeEntries(parts) : Buffer.concat(parts)),
    headers: {
      'cache-control': width === TILE_WIDTH ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
    },
  };
}
