import type { Context } from '../../context.ts';
import type { Document } from '../../http/document.ts';
import { SECOND_MS, toTimestamp } from '../../lib/clock.ts';
import { hashText } from './chain.ts';
import { readHead } from './chain-sql.ts';

/** Anyone may ask, so the table is asked once in this time, however many do. */
const REMEMBERED_MS = SECOND_MS;

/**
 * The head of the audit chain, for anyone who wants to keep it: with a copy outside of the database, nobody can rewrite
 * the trail unnoticed. It has no position, so that it says nothing about how much happens here.
 */
export function auditHeadDocument(): Document {
  const remembered = new WeakMap<Context, { atMs: number; body: Promise<string> }>();
  return {
    method: 'GET',
    path: '/.well-known/svc-audit-head.json',
    async serve(context) {
      const known = remembered.get(context);
      if (known && performance.now() - known.atMs < REMEMBERED_MS) return toAnswer(await known.body);
      const body = readBody(context);
      remembered.set(context, { atMs: performance.now(), body });
      body.catch(() => remembered.delete(context));
      return toAnswer(await body);
    },
  };
}

function toAnswer(body: string) {
  return { contentType: 'application/json; charset=utf-8', body };
}

async function readBody({ db }: Context): Promise<string> {
  const { published_hash: hash, published_at: at } = await readHead(db);
  return JSON.stringify({ head: hash && at ? { hash: hashText(hash), at: toTimestamp(at) } : null });
}
