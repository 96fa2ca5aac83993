import type { Document } from '../../http/document.ts';

/** The browsable reference. */
export function docsDocuments(): Document[] {
  return [];
}
