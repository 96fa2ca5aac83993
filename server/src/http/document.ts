import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.ts';

/** A path beside the API: health, metrics, pages and their files. It has no envelope and no credential kinds. */
export interface Document {
  method: 'GET';
  path: string;
  /** Each call asks the database something, so calls are counted by address like those of routes without a credential. */
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
