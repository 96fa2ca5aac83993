import * as api from '@payassent/protocol/api';

/*
 * The SDK's methods that are a single call, generated from the operations that name them: an ordinary operation needs
 * no line of the SDK by hand.
 */

type Members = Readonly<
  Record<string, { readonly default?: unknown; readonly items?: { readonly title?: string } }>
>;
type Shape = {
  readonly title?: string;
  readonly properties?: Members;
  readonly required?: readonly string[];
};

/** One file for each client, so that a page loads only the methods of its client. */
export function sdkMethodFiles(operations: readonly api.Operation[], head: string): Record<string, string> {
  const sorted = operations.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return Object.fromEntries(
    Object.entries(api.SDK_PARTS).map(([file, parts]) => [
      `sdk/src/generated/${file}.ts`,
      head + renderFile(parts, sorted),
    ]),
  );
}

/** Names that a file imports, collected while it is written. */
class Imports {
  readonly contract = new Set<string>();
  readonly operations = new Set<string>();
  hasLists = false;

  render(): string {
    const list = (names: Set<string>, from: string, kind = '') =>
      `import ${kind}{ ${[...names].sort().join(', ')} } from '${from}';\n`;
    return [
      list(this.contract, '../contract.ts', 'type '),
      "import type { Api } from '../core/api.ts';\n",
      "import type { CallOptions } from '../core/call.ts';\n",
      this.hasLists ? "import { eachRecord } from '../core/api.ts';\n" : '',
      list(this.operations, '../operations.ts'),
    ].join('');
  }
}

function renderFile(parts: Readonly<Record<string, string>>, operations: readonly api.Operation[]): string {
  const imports = new Imports();
  const classes = Object.entries(parts).map(([part, text]) => {
    const methods = operations.flatMap((operation) =>
      [operation.sdk ?? []]
        .flat()
        .map((place) => place.split('.') as [string, string])
        .filter(([owner]) => owner === part)
        .map(([, name]) => renderMethods(operation, name, imports)),
    );
    return [
      `/** ${text === '' ? `What \`${part}\` passes on as it is.` : text} */\n`,
      `export class ${text === '' ? `${part}Calls` : part} {\n`,
      '  readonly #api: Api;\n\n',
      '  /** Made by the clients. */\n  constructor(api: Api) {\n    this.#api = api;\n  }\n',
      ...methods,
      '}\n',
    ].join('');
  });
  return `${imports.render()}\n${classes.join('\n')}`;
}

/** The method itself, and of a page the one that walks through all of them. */
function renderMethods(operation: api.Operation, name: string, imports: Imports): string {
  const { id, path, summary, description } = operation;
  const answer = operation.answer as Shape;
  const ids = [...path.matchAll(/\/([^/{}]+)\/\{(\w+)\}/g)].map(([, segment = '', parameter = '']) => ({
    parameter,
    argument: parameter === 'id' ? `${singular(camelCase(segment))}Id` : camelCase(parameter),
  }));
  const params = ids.map(({ parameter, argument }) =>
    parameter === argument ? parameter : `${parameter}: ${argument}`,
  );
  const body = inputOf(operation.body as Shape | undefined, 'input');
  const query = inputOf(operation.query as Shape | undefined, 'query');
  const inputs = [body, query].filter((input) => input !== undefined);
  const given = [
    ...(ids.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(body ? ['body: input'] : []),
    ...(query ? ['query'] : []),
  ].join(', ');
  const input = given === '' ? '{}' : `{ ${given} }`;
  const args = [
    ...ids.map(({ argument }) => `${argument}: string`),
    ...inputs.map(({ text }) => text),
    'options: CallOptions = {}',
  ].join(', ');
  imports.operations.add(id);
  for (const { type } of inputs) imports.contract.add(type);
  if (answer.title !== undefined) imports.contract.add(answer.title);
  const result = answer.title ?? 'object';
  const single = [
    `\n  /** ${sentence(summary)} ${description.split(/(?<=[.!?]) (?=[A-Z`])/)[0]} */\n`,
    `  ${name}(${args}): Promise<${result}> {\n`,
    `    return this.#api.call(${id}, ${input}, options);\n  }\n`,
  ].join('');
  const [list, item] =
    Object.entries(answer.properties ?? {}).find(([, member]) => member.items?.title) ?? [];
  if (!('next_cursor' in (answer.properties ?? {})) || !list || !name.startsWith('list')) return single;
  imports.hasLists = true;
  const record = item?.items?.title ?? '';
  imports.contract.add(record);
  const all = name === 'list' ? 'each' : singular(name.replace(/^list/, 'each'));
  return [
    single,
    `\n  /** All of what \`${name}\` gives, page by page. */\n`,
    `  ${all}(${args}): AsyncGenerator<${record}, void, undefined> {\n`,
    `    return eachRecord(this.#api, ${id}, '${list}', ${input}, options);\n  }\n`,
  ].join('');
}

/** An argument, which may be left out where nothing in it is needed. */
function inputOf(shape: Shape | undefined, name: string): { type: string; text: string } | undefined {
  const { title, properties = {}, required = [] } = shape ?? {};
  if (title === undefined || Object.keys(properties).length === 0) return undefined;
  const isNeeded = required.some((member) => properties[member]?.default === undefined);
  return { type: title, text: `${name}: ${title}${isNeeded ? '' : ' = {}'}` };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function camelCase(text: string): string {
  return text.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function singular(text: string): string {
  return text.replace(/ies$/, 'y').replace(/s$/, '');
}
