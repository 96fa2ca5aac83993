import { readdirSync } from 'node:fs';

const TEXTS = new URL('../../src/texts/', import.meta.url);
const filesOf = (folder: string) =>
  readdirSync(new URL(`${folder}/`, TEXTS)).map((file) => `${folder}/${file}`);

/** The catalogues of each page that speaks more than one language, below the folder of the texts. */
export const PAGES = {
  wallet: ['common.ts', 'settlement.ts', ...filesOf('wallet')],
  portal: ['common.ts', 'settlement.ts', ...filesOf('portal')],
  verify: ['common.ts', 'verify.ts'],
};

/** A file of texts: its catalogues by name. */
export function readTexts(path: string): Promise<Record<string, unknown>> {
  return import(new URL(path, TEXTS).href);
}

/** Every fixed text in it. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
