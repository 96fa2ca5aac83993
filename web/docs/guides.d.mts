/** What tests use of the pages that are written from Markdown. */
export function guideFiles(root: string): string[];
export function renderGuide(root: string, file: string, files: readonly string[]): { html: string };
