import { type Documented, parseSource } from './parse.ts';

export const NOTICE =
  '<!-- Written from the source of the SDK by its tests (npx vitest run sdk/test/api-page -u). Do not edit. -->';

/** Everything that `index.ts` exports, by the file it stands in. */
export function publicApi(files: ReadonlyMap<string, string>): {
  entries: Map<string, Documented>;
  records: string[];
} {
  const entries = new Map<string, Documented>();
  const records: string[] = [];
  const visit = (path: string, wanted?: readonly string[]) => {
    const text = files.get(path) ?? '';
    if (path === 'records.ts') return void records.push(...namesIn(text));
    const own = parseSource(text);
    for (const [name, entry] of own) if (!wanted || wanted.includes(name)) entries.set(name, entry);
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
    for (const [, list, target] of text.matchAll(/export (?:type )?(\*|\{[^}]*\}) from '\.\/([^']+)'/g))
      if (target !== undefined) visit(folder + target, list === '*' ? undefined : namesOf(list ?? ''));
  };
  visit('index.ts');
  return { entries, records };
}

function namesOf(list: string): string[] {
  return [...list.matchAll(/(?:type )?(\w+)/g)].flatMap(([, name]) =>
    name && name !== 'type' ? [name] : [],
  );
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/export (?:type )?(\{[^}]*\})/g)].flatMap(([, list]) => namesOf(list ?? ''));
}

const CLIENTS = ['AgentClient', 'ConnectionClient', 'WalletClient', 'MerchantClient', 'AgentPaymentsClient'];

export function renderReference(files: ReadonlyMap<string, string>): string {
  const { entries, records } = publicApi(files);
  const all = [...entries.values()];
  const isError = (entry: Documented) => entry.kind === 'class' && entry.name.endsWith('Error');
  const clients = CLIENTS.flatMap((name) => entries.get(name) ?? []);
  const parts = all.filter((entry) => entry.kind === 'class' && !isError(entry) && !clients.includes(entry));
  const functions = all.filter(({ kind }) => kind === 'function' || kind === 'const');
  const types = all.filter(({ kind }) => kind === 'interface' || kind === 'type');
  return [
    '# SDK reference',
    NOTICE,
    'By task, with examples: [SDK.md](SDK.md).',
    '## Clients',
    ...clients.map((entry) => renderClass(entry)),
    '## Parts of the clients',
    'Every method returns the members of the answer, without its envelope, as the service names them.',
    ...byName(parts).map((entry) => renderClass(entry)),
    '## Functions',
    ...byName(functions).map((entry) => `### \`${entry.name}\`\n\n${entry.doc}\n\n${code(entry.signature)}`),
    '## Errors',
    ...byName(all.filter(isError)).map((entry) => renderClass(entry)),
    '## Types',
    ...byName(types).map(renderType),
    '## Records',
    'Types of the records, and the tables `ERRORS` and `SCOPES`, come from `@payassent/protocol`; their members are those of the HTTP API.',
    records
      .toSorted((a, b) => a.localeCompare(b, 'en'))
      .map((name) => `\`${name}\``)
      .join(', '),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderClass(entry: Documented): string {
  const members = entry.members.map(
    ({ signature, doc }) => `- \`${signature}\`${doc === '' ? '' : `  \n  ${doc}`}`,
  );
  return `### \`${entry.name}\`\n\n${entry.doc}\n\n${members.join('\n')}`;
}

function renderType(entry: Documented): string {
  const parents = / extends (.+)$/.exec(entry.signature)?.[1];
  const title = `### \`${entry.name}\`\n\n${entry.doc}`;
  if (entry.kind === 'type') return `${title}\n\n${code(entry.signature)}`;
  const rows = entry.members.map(
    ({ signature, doc }) => `- \`${signature}\`${doc === '' ? '' : `  \n  ${doc}`}`,
  );
  const also =
    parents === undefined ? '' : `\n\nEverything of \`${parents}\`${rows.length > 0 ? ', and:' : '.'}`;
  return `${title}${also}${rows.length > 0 ? `\n\n${rows.join('\n')}` : ''}`;
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

function byName(entries: readonly Documented[]): Documented[] {
  return entries.toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
}
