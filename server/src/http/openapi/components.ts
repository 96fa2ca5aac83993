import { nameOfValues } from '@payassent/protocol/api';

type Json = Record<string, unknown>;

/**
 * Moves every schema that has a title into `components.schemas` and leaves a reference: a record is described once, and
 * generators give its type its usual name. Two different schemas under one title are a defect.
 */
export function nameSchemas(document: Json): Json {
  const named = new Map<string, string>();
  const schemas: Record<string, unknown> = {};

  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Json;
    const walked = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, walk(member)]));
    const { title = nameOfEnum(schema), ...described } = walked;
    if (typeof title !== 'string' || !('type' in schema)) return walked;
    // Values are the same wherever they are used; their meaning at each place is described next to the reference.
    const { description, ...values } = described;
    const isEnum = 'enum' in schema;
    const rest = isEnum ? values : described;
    const text = JSON.stringify(rest);
    const known = named.get(title);
    if (known !== undefined && known !== text)
      throw new Error(`Two different schemas have the title ${title}: name one of them otherwise.`);
    named.set(title, text);
    schemas[title] = rest;
    return {
      $ref: `#/components/schemas/${title}`,
      ...(isEnum && description !== undefined ? { description } : {}),
    };
  };

  const paths = walk(document['paths']);
  const webhooks = walk(document['webhooks']);
  const components = document['components'] as Json;
  const own = walk(components['schemas']) as Json;
  const sorted = Object.entries({ ...schemas, ...own }).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...document, paths, webhooks, components: { ...components, schemas: Object.fromEntries(sorted) } };
}

function nameOfEnum(schema: Json): string | undefined {
  return Array.isArray(schema['enum']) ? nameOfValues(schema['enum']) : undefined;
}

type Change = (part: Json, name: string) => Json;

/**
 * Moves responses that several calls share into `components.responses`: errors by their codes, successes by their
 * record.
 */
export function nameResponses(document: Json): Json {
  return moveRepeated(document, 'responses', (operation, change) => ({
    ...operation,
    responses: mapValues(operation['responses'] as Json, (response, status) =>
      change(response as Json, nameOfResponse(response as Json, status)),
    ),
  }));
}

/** Moves parameters that several calls share into `components.parameters`. */
export function nameParameters(document: Json): Json {
  return moveRepeated(document, 'parameters', (operation, change) => {
    const parameters = operation['parameters'] as Json[] | undefined;
    const named = (part: Json) => change(part, nameOfParameter(part));
    return parameters ? { ...operation, parameters: parameters.map(named) } : operation;
  });
}

/** `{id}` has many meanings: in a path the parameter is named after the thing. */
function nameOfParameter(parameter: Json): string {
  const [, thing] = /^The ([\w ]+)/.exec(String(parameter['description'])) ?? [];
  if (parameter['in'] === 'path' && thing) return pascalCase(thing.replaceAll(' ', '_'));
  return pascalCase(String(parameter['name']).replaceAll('-', '_'));
}

/** Of two parts with one name the more frequent is moved; the other stays in place. */
function moveRepeated(
  document: Json,
  kind: 'responses' | 'parameters',
  each: (operation: Json, change: Change) => Json,
): Json {
  const walk = (change: Change): Json => {
    const inPaths = (paths: unknown) =>
      mapValues(paths as Json, (methods) =>
        mapValues(methods as Json, (operation) => each(operation as Json, change)),
      );
    return { ...document, paths: inPaths(document['paths']), webhooks: inPaths(document['webhooks']) };
  };
  const uses = new Map<string, { name: string; count: number }>();
  walk((part, name) => {
    const text = JSON.stringify(part);
    uses.set(text, { name, count: (uses.get(text)?.count ?? 0) + 1 });
    return part;
  });
  const moved = new Map<string, string>();
  for (const [text, { name, count }] of [...uses].sort(([, a], [, b]) => b.count - a.count))
    if (count > 1 && !moved.has(name)) moved.set(name, text);
  const changed = walk((part, name) =>
    moved.get(name) === JSON.stringify(part) ? { $ref: `#/components/${kind}/${name}` } : part,
  );
  const sorted = [...moved].sort(([a], [b]) => a.localeCompare(b, 'en'));
  const parts = Object.fromEntries(sorted.map(([name, text]) => [name, JSON.parse(text)]));
  return { ...changed, components: { ...(document['components'] as Json), [kind]: parts } };
}

/**
 * Errors are named by the initials of their codes, those of every call by their number: with full names in every call
 * they made up a tenth of the document.
 */
function nameOfResponse(response: Json, status: string): string {
  const text = JSON.stringify(response);
  const codes = [...String(response['description']).matchAll(/`(\w+)`/g)].map(([, code = '']) => code);
  const surface = text.includes('Surface') ? '_s2' : '';
  if (text.includes('Error"'))
    return status === 'default'
      ? `X${codes.length}${surface}`
      : `E${status}_${codes.map(initials).join('')}${surface}`;
  const records = [...text.matchAll(/schemas\/(\w+)"/g)].map(([, name = '']) => name);
  const record = records.find((name) => !name.endsWith('Success'));
  return record ?? `Status${status}`;
}

/** `token_revoked` becomes `tr`. */
function initials(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0).toLowerCase())
    .join('');
}

/** `payload_too_large` and `createAgent` become `PayloadTooLarge` and `CreateAgent`. */
export function pascalCase(name: string): string {
  return name
    .split('_')
    .map(
      (word) =>
        word.charAt(0).toUpperCase() +
        (word === word.toUpperCase() ? word.slice(1).toLowerCase() : word.slice(1)),
    )
    .join('');
}

function mapValues(object: Json, change: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
