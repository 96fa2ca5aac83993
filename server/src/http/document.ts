import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.ts';
import { headerValues } from './headers.ts';

/** A path next to the API: health, metrics, pages and their files. It has no envelope and no credential kinds. */
export interface Document {
  method: 'GET';
  path: string;
  /** Each call queries the database, so calls are counted by address like those of routes without a credential. */
  isCounted?: boolean;
  serve(context: Context, request: IncomingMessage): Promise<DocumentAnswer> | DocumentAnswer;
}

export interface DocumentAnswer {
  status?: number;
  contentType: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

/** Pages run only their own files: no inline script or style, no foreign resource, no framing. */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-cache',
};

export interface ServedFile {
  contentType: string;
  body: string | Buffer;
  /** The compressed forms that are smaller, the smallest first. */
  compressed: ReadonlyArray<{ encoding: 'br' | 'gzip'; body: Buffer }>;
  /** Identifies its content, for caches. */
  tag: string;
}

export function tagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/** In the smallest form that the caller accepts; 304 when the caller has it cached. */
export function serveFile(
  { contentType, body, compressed, tag }: ServedFile,
  request: IncomingMessage,
  headers: Record<string, string>,
): DocumentAnswer {
  const common = { ...headers, vary: 'accept-encoding', etag: tag };
  if (headerValues(request, 'if-none-match').some((value) => value.includes(tag)))
    return { status: 304, contentType, body: '', headers: common };
  const taken = headerValues(request, 'accept-encoding').join();
  const form = compressed.find(({ encoding }) => new RegExp(`\\b${encoding}\\b`).test(taken));
  if (form === undefined) return { contentType, body, headers: common };
  return { contentType, body: form.body, headers: { ...common, 'content-encoding': form.encoding } };
}
