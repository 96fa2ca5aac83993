type Json = Record<string, unknown>;

/**
 * Moves every schema that has a title into `components.schemas` and leaves a reference: a record is described once,
 * and generators give its type the name that people use. Two different schemas under one title are a defect.
 */
export function nameSchemas(document: Json): Json {
  const named = new Map<string, string>();
  const schemas: Record<string, unknown> = {};

  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Json;
    const walked = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, walk(member)]));
    const { title, ...rest } = walked;
    if (typeof title !== 'string' || !('type' in schema)) return walked;
    const text = JSON.stringify(rest);
    const known = named.get(title);
    if (known !== undefined && known !== text)
      throw new Error(`Two different schemas have the title ${title}: name one of them otherwise.`);
    named.set(title, text);
    schemas[title] = rest;
    return { $ref: `#/components/schemas/${title}` };
  };

  const paths = walk(document['paths']);
  const webhooks = walk(document['webhooks']);
  const components = document['components'] as Json;
  const own = walk(components['schemas']) as Json;
  const sorted = Object.entries({ ...schemas, ...own }).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...document, paths, webhooks, components: { ...components, schemas: Object.fromEntries(sorted) } };
}

/**
 * Moves failures with exactly one code into `components.responses`: every call can be too large or meet a fault, and
 * each of these is described once.
 */
export function nameFailures(document: Json): Json {
  const responses: Record<string, unknown> = {};
  const refer = (status: string, response: Json): Json => {
    const code = /^`(\w+)`$/.exec(String(response['description']))?.[1];
    if (Number(status) < 400 || code === undefined) return response;
    const isSecond = JSON.stringify(response).includes('SurfaceError');
    const name = `${pascalCase(code)}${isSecond ? 'OnSecondSurface' : ''}`;
    responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  const paths = mapValues(document['paths'] as Json, (methods) =>
    mapValues(methods as Json, (operation) => {
      const { responses: declared, ...rest } = operation as Json;
      return {
        ...rest,
        responses: mapValues(declared as Json, (response, status) => refer(status, response as Json)),
      };
    }),
  );
  const sorted = Object.entries(responses).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return {
    ...document,
    paths,
    components: { ...(document['components'] as Json), responses: Object.fromEntries(sorted) },
  };
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
