import { readFileSync } from 'node:fs';
import { type Document, PAGE_HEADERS } from './document.ts';

const CONTENT_TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The same place from `src` and from `dist`. */
const PAGES_FOLDER = new URL('../../pages/', import.meta.url);

/** A file of the package under `server/pages/`, read once. */
export function pageFile(path: string, file: string): Document {
  const body = readFileSync(new URL(file, PAGES_FOLDER));
  const contentType = CONTENT_TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return { method: 'GET', path, serve: () => ({ contentType, body, headers: PAGE_HEADERS }) };
}
