import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** A built file, with the compressed forms that are smaller, the smallest first. */
export interface BundleFile {
  contentType: string;
  body: Buffer;
  compressed: ReadonlyArray<{ encoding: 'br' | 'gzip'; body: Buffer }>;
  /** Of its content, for those who have it already. */
  tag: string;
  /** Its name changes with its content, so that it may be kept forever. */
  isHashed: boolean;
}

/** Beside a file, where the build has compressed it. */
const BROTLI = '.br';

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** The same place from `src` and from `dist`. It is moved there whole, so that it is either complete or absent. */
const FOLDER = fileURLToPath(new URL('../../../pages/app/', import.meta.url));

let loaded: ReadonlyMap<string, BundleFile> | undefined;

/** The built pages by path below `/`, read once; nothing while they are still being built. */
export function bundle(): ReadonlyMap<string, BundleFile> | undefined {
  if (loaded === undefined && existsSync(FOLDER)) loaded = readAll();
  return loaded;
}

function readAll(): ReadonlyMap<string, BundleFile> {
  const entries = readdirSync(FOLDER, { withFileTypes: true, recursive: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith(BROTLI),
  );
  return new Map(
    entries.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = relative(FOLDER, file).split(sep).join('/');
      const body = readFileSync(file);
      const compressed = [
        ...(existsSync(file + BROTLI)
          ? [{ encoding: 'br' as const, body: readFileSync(file + BROTLI) }]
          : []),
        { encoding: 'gzip' as const, body: gzipSync(body) },
      ].filter((form) => form.body.length < body.length);
      const contentType = CONTENT_TYPES[extname(file)] ?? 'application/octet-stream';
      const isHashed = path.startsWith('web/assets/');
      const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      return [path, { contentType, body, compressed, tag, isHashed }];
    }),
  );
}
