import type { Document } from '../../http/document.ts';
import { pageFile } from '../../http/static-files.ts';

/** The browsable reference: a page of our own that draws `/openapi.json` and can try every call. */
export function docsDocuments(): Document[] {
  return [
    pageFile('/docs', 'docs/index.html'),
    pageFile('/docs/docs.js', 'docs/docs.js'),
    pageFile('/docs/schema.js', 'docs/schema.js'),
    pageFile('/docs/docs.css', 'docs/docs.css'),
  ];
}
