/** Rows for a table of members: dotted name, type, whether it is required, and what it means. */
export function describeMembers(schema, prefix = '') {
  const required = new Set(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix + name;
    const row = { name: path, type: typeName(member), required: required.has(name), note: note(member) };
    const inner = member.type === 'array' ? member.items : member;
    const nested = inner?.properties
      ? describeMembers(inner, member.type === 'array' ? `${path}[].` : `${path}.`)
      : [];
    return [row, ...nested];
  });
}

function typeName(schema) {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum)
    return schema.enum.length > 8 ? `${schema.enum.slice(0, 8).join(' | ')} | …` : schema.enum.join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' | ');
  if (schema.type === 'array') return `list of ${typeName(schema.items ?? {})}`;
  return [schema.type ?? 'any'].flat().join(' | ') + (schema.format ? ` (${schema.format})` : '');
}

function note(schema) {
  const parts = [schema.description];
  if (schema.minLength !== undefined || schema.maxLength !== undefined)
    parts.push(`${rangeOf(schema.minLength ?? 0, schema.maxLength)} characters`);
  if (schema.minimum !== undefined || schema.maximum !== undefined)
    parts.push(rangeOf(schema.minimum, schema.maximum));
  if (schema.default !== undefined) parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.filter(Boolean).join(' · ');
}

function rangeOf(least, most) {
  if (most === undefined) return `at least ${least}`;
  return least === undefined ? `at most ${most}` : `${least}–${most}`;
}

/** A body to start from: every required member, with a value of the right shape. */
export function exampleOf(schema, name = '') {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0], name);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, exampleOf(schema.properties?.[key] ?? {}, key)]),
      );
    case 'array':
      return schema.items ? [exampleOf(schema.items, name)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return schema.format === 'date-time' ? new Date(Date.now() + 3_600_000).toISOString() : name;
  }
}

/** Success schemas are an envelope and the members; both as one object. */
export function flatten(schema) {
  if (!schema?.allOf) return schema ?? {};
  return schema.allOf.reduce(
    (all, part) => ({
      properties: { ...all.properties, ...part.properties },
      required: [...all.required, ...(part.required ?? [])],
    }),
    { properties: {}, required: [] },
  );
}

/** Puts what has a name where it is referred to: the page shows each call whole. None refers to itself. */
export function resolveReferences(document) {
  const resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const [, kind, name] =
      /^#\/components\/(schemas|responses|parameters)\/(\w+)$/.exec(value.$ref ?? '') ?? [];
    if (name) {
      const { $ref: _, ...beside } = value;
      return { ...resolve(document.components[kind][name] ?? {}), ...beside };
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
  };
  return { ...document, paths: resolve(document.paths) };
}
