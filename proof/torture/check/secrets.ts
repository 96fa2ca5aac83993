import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../server/src/db/open.ts';
import type { IssuedSecrets } from '../run/redact.ts';
import type { Finding } from './evidence.ts';

const SHAPED =
  /(?:svc_(?:ml|gr|ms|at|ck|cl|ct|dt|lc|rc|st)_|svc_key_test_)[0-9A-Za-z]{49}|whsec_[A-Za-z0-9+/]{43}=/g;
const LONGEST = 80;
/** Beyond its shape, a secret's body is searched for separately, for a sample: each costs a pass over everything. */
const SAMPLE = 30;

export interface Place {
  name: string;
  chunks: AsyncIterable<string>;
}

/** Finds what has the shape of a secret, and bodies and codes without it. Places are read in pieces, as bytes. */
export async function findSecrets(places: AsyncIterable<Place>, secrets: IssuedSecrets): Promise<Finding> {
  const bodies = sampleBodies(secrets);
  const finding: Finding = { checked: 0, violations: [] };
  for await (const { name, chunks } of places) {
    let carried = '';
    const found = new Set<string>();
    for await (const chunk of chunks) {
      const text = carried + chunk;
      for (const [secret] of text.matchAll(SHAPED)) found.add(secret.slice(0, 10));
      for (const body of bodies) if (text.includes(body)) found.add(`a body ${body.slice(0, 4)}…`);
      carried = text.slice(-LONGEST);
    }
    finding.checked += 1;
    for (const secret of found) finding.violations.push(`${name} holds ${secret}…`);
  }
  return secrets.tokens.size === 0 ? { checked: 0, violations: finding.violations } : finding;
}

function sampleBodies({ tokens, pairingCodes }: IssuedSecrets): string[] {
  const all = [...tokens];
  const step = Math.max(1, Math.floor(all.length / SAMPLE));
  const sample = all.filter((_secret, index) => index % step === 0).slice(0, SAMPLE);
  return [
    ...sample.map((secret) => secret.replace(/^(svc_key_test_|svc_.._|whsec_)/, '').slice(0, 43)),
    ...[...pairingCodes].slice(0, SAMPLE).flatMap((code) => [`"${code}"`, `code=${code.replace('-', '')}`]),
  ];
}

/** Every row of every table as text, a few hundred at a time. */
export async function* dumpPlaces(db: Database): AsyncGenerator<Place> {
  const tables = await db<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;
  for (const { name } of tables) {
    const rows = db<{ text: string }[]>`select t::text as text from ${db(name)} t`.cursor(500);
    yield { name: `table ${name}`, chunks: textOf(rows) };
  }
}

async function* textOf(pages: AsyncIterable<{ text: string }[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((row) => row.text).join('\n');
}

/** Every file below a folder: data files, journal, logs. */
export async function* filePlaces(folder: string, only: (path: string) => boolean): AsyncGenerator<Place> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !only(path)) continue;
    const stream = createReadStream(path, { encoding: 'latin1', highWaterMark: 1 << 20 });
    yield { name: `file ${path.slice(folder.length + 1)}`, chunks: quietly(stream) };
  }
}

/** Files of a running database come and go. */
async function* quietly(stream: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* stream;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
}
