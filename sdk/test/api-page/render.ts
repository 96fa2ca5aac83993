import { posix } from 'node:path';
import { type Documented, readModules } from './parse.ts';

const NOTICE =
  '<!-- Written from the source of the SDK by its tests (npx vitest run sdk/test/api-page -u). Do not edit. -->';

/** Everything that `index.ts` exports, and the names that it only hands on from the protocol. */
export interface PublicApi {
  entries: Map<string, Documented>;
  records: string[];
}

export function publicApi(index = 'index.ts'): PublicApi {
  const modules = readModules();
  const entries = new Map<string, Documented>();
  const records: string[] = [];
  const visit = (path: string, wanted?: readonly string[]) => {
    const { declarations, exports } = modules.get(path) ?? { declarations: new Map(), exports: [] };
    for (const [name, entry] of declarations) if (!wanted || wanted.includes(name)) entries.set(name, entry);
    for (const { from, names } of exports)
      if (from.startsWith('./')) visit(posix.join(posix.dirname(path), from), names);
      else records.push(...(names ?? []));
  };
  visit(index);
  const declared = new Map([...modules.values()].flatMap(({ declarations }) => [...declarations]));
  for (const [name, entry] of entries) entries.set(name, withWritten(entry, declared));
  return { entries, records };
}

/** A part of a client has what is written from the operations as its own. */
function withWritten(entry: Documented, declared: ReadonlyMap<string, Documented>): Documented {
  const written = declared.get(/ extends (\w+Calls)$/.exec(entry.signature)?.[1] ?? '');
  if (!written) return entry;
  const signature = entry.signature.replace(/ extends \w+Calls$/, '');
  return { ...entry, signature, members: [...written.members, ...entry.members] };
}

const CLIENTS = ['AgentClient', 'ConnectionClient', 'WalletClient', 'MerchantClient', 'AgentPaymentsClient'];

/** Entries of the package next to the main one. */
export const OTHER_ENTRIES = ['tools', 'node'] as const;

export function renderReference(
  { entries, records }: PublicApi,
  others: Readonly<Record<string, PublicApi>>,
): string {
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
    'Every method returns the members of the response, without its envelope, as the service names them.',
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
    ...Object.entries(others).flatMap(([name, api]) => renderEntry(name, [...api.entries.values()])),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderEntry(name: string, all: readonly Documented[]): string[] {
  const isType = ({ kind }: Documented) => kind === 'interface' || kind === 'type';
  return [
    `## \`@payassent/sdk/${name}\``,
    ...byName(all.filter((entry) => !isType(entry))).map(
      (entry) => `### \`${entry.name}\`\n\n${entry.doc}\n\n${code(entry.signature)}`,
    ),
    ...byName(all.filter(isType)).map(renderType),
  ];
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
