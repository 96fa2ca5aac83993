import * as api from '@payassent/protocol/api';
import { EvidenceSchema, HitlDetailsSchema, schema } from '@payassent/protocol/records';
import { sdkMethodFiles } from './sdk-methods.ts';

/*
 * The operations and types of the SDK, written from the schemas that the server validates with. TypeScript could derive
 * the same types, but not their descriptions: this way editors show them next to every member, and users of the SDK
 * install no schema library and ship none to a browser.
 */

type Json = Readonly<Record<string, unknown>> & { readonly [schema.TYPE_NAME]?: string };

/** Records that clients meet although no operation returns them. */
const BESIDE_OPERATIONS = [EvidenceSchema, HitlDetailsSchema];

const HEAD = `/*
 * Written from protocol/src/api and protocol/src/records by "npm run generate". Do not edit.
 */
`;

/** Imports nothing from the SDK, which does not compile while an operation that it calls is missing there. */
export function sdkFiles(): Record<string, string> {
  return {
    'sdk/src/contract.ts': renderTypes(),
    'sdk/src/operations.ts': renderOperations(),
    ...sdkMethodFiles(OPERATIONS, HEAD),
  };
}

const OPERATIONS = (Object.values(api) as unknown[]).filter(api.isOperation);

/** What the SDK needs of each operation at run time, alphabetically. */
function renderOperations(): string {
  const lines = OPERATIONS.map(({ id, method, path, body, query, answer, isBare }) => {
    const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => literal(name));
    const types = [body, query, answer].map((part) => {
      const { title, properties } = (part ?? {}) as Json;
      return Object.keys(properties ?? {}).length > 0
        ? `contract.${title}`
        : part === answer
          ? 'object'
          : 'Nothing';
    });
    const data = [
      `method: ${literal(method)}`,
      `path: ${literal(path)}`,
      `answer: [${api.answerMembers({ answer }).map(literal).join(', ')}]`,
      ...(isBare ? ['isBare: true'] : []),
      ...(api.surfaceOf(path) === 'second' ? ["surface: 'second'"] : []),
    ];
    const type = `OperationData<${[union(params) || 'never', ...types].join(', ')}>`;
    return `export const ${id}: ${type} = { ${data.join(', ')} };\n`;
  });
  const imports = [
    "import type * as contract from './contract.ts';\n",
    "import type { Nothing, OperationData } from './core/operation-data.ts';\n",
  ];
  return [HEAD, ...imports, '\n', ...lines.sort()].join('');
}

/** Every type that the operations name, alphabetically. */
function renderTypes(): string {
  const types = new Map<string, string>();
  const used = new Set<string>();
  const writer = new TypeWriter(types, used);
  for (const operation of OPERATIONS) {
    for (const part of [operation.body, operation.query])
      if (part) writer.declare(part as unknown as Json, true);
    writer.declare(operation.answer as Json, false);
  }
  for (const record of BESIDE_OPERATIONS) writer.declare(record as unknown as Json, false);
  const imports = [...used].sort().map((name) => `  ${name},\n`);
  const declarations = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${HEAD}import type {\n${imports.join('')}} from '@payassent/protocol';\n\n${declarations.join('\n')}`;
}

class TypeWriter {
  readonly #types: Map<string, string>;
  readonly #used: Set<string>;

  constructor(types: Map<string, string>, used: Set<string>) {
    this.#types = types;
    this.#used = used;
  }

  /** Declares a schema that has a title and returns the name; anything else is written in place. */
  declare(of: Json, isInput: boolean): string {
    const name = of['title'];
    if (typeof name !== 'string') return this.#members(of, isInput, '');
    const text = `${doc(of, '')}export interface ${name} ${this.#members(of, isInput, '')}\n`;
    const known = this.#types.get(name);
    if (known !== undefined && known !== text)
      throw new Error(`Two different schemas have the title ${name}: name one of them otherwise.`);
    this.#types.set(name, text);
    return name;
  }

  #members(of: Json, isInput: boolean, indent: string): string {
    const required = (of['required'] ?? []) as readonly string[];
    const inner = `${indent}  `;
    const lines = Object.entries((of['properties'] ?? {}) as Record<string, Json>).map(([name, member]) => {
      const mark = required.includes(name) && member['default'] === undefined ? '' : '?';
      return `${doc(member, inner)}${inner}${name}${mark}: ${this.#type(member, isInput, inner)};\n`;
    });
    const isOpen = isInput && of['additionalProperties'] === true;
    if (isOpen) lines.push(`${inner}/** Anything else. */\n${inner}[member: string]: unknown;\n`);
    return `{\n${lines.join('')}${indent}}`;
  }

  #type(of: Json, isInput: boolean, indent: string): string {
    if (of[schema.TYPE_NAME] !== undefined) return this.#named(of[schema.TYPE_NAME]);
    if (of['const'] !== undefined) return literal(of['const']);
    if (Array.isArray(of['enum'])) return this.#values(of['enum']);
    const choices = (of['anyOf'] ?? of['oneOf']) as readonly Json[] | undefined;
    if (choices) return union(choices.map((choice) => this.#type(choice, isInput, indent)));
    const types = [of['type'] ?? []].flat() as string[];
    return union(types.map((type) => this.#plain(type, of, isInput, indent))) || 'unknown';
  }

  #plain(type: string, of: Json, isInput: boolean, indent: string): string {
    if (type === 'integer') return 'number';
    if (type === 'array') {
      const item = this.#type((of['items'] ?? {}) as Json, isInput, indent);
      return `${isInput ? 'readonly ' : ''}${item.includes(' ') ? `(${item})` : item}[]`;
    }
    if (type !== 'object') return type;
    if (of['title'] !== undefined) return this.declare(of, isInput);
    return of['properties'] ? this.#members(of, isInput, indent) : 'Record<string, unknown>';
  }

  #values(values: readonly unknown[]): string {
    const isNullable = values.includes(null);
    const rest = values.filter((value) => value !== null);
    const name = api.nameOfValues(rest);
    const type = name === undefined ? union(rest.map(literal)) : this.#named(name);
    return isNullable ? `${type} | null` : type;
  }

  #named(name: string): string {
    this.#used.add(name);
    return name;
  }
}

function doc(of: Json, indent: string): string {
  return typeof of['description'] === 'string' ? `${indent}/** ${of['description']} */\n` : '';
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
