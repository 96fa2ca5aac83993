import type { Document } from '../../http/document.ts';
import { pageFile } from '../../http/static-files.ts';

/** The page behind the mailed link. The token stands behind the `#`, which no browser sends to any server. */
export const verifyPage: readonly Document[] = [
  pageFile('/portal/verify', 'verify/index.html'),
  ...['verify.css', 'verify.js', 'api.js', 'view.js', 'domain-step.js'].map((file) =>
    pageFile(`/portal/verify/${file}`, `verify/${file}`),
  ),
];
