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
  const components = document['components'] as Json;
  const own = walk(components['schemas']) as Json;
  const sorted = Object.entries({ ...schemas, ...own }).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...document, paths, components: { ...components, schemas: Object.fromEntries(sorted) } };
}
