/** Reads the OpenAPI document for the pages of the reference. */

const AT = '2026-01-15T12:00:00.000Z';
const ULID = '01JC8Z6S410000000000000000';

/** Inlines each named schema where it is referenced: the pages show each call whole. No schema references itself. */
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
  return { ...document, paths: resolve(document.paths), webhooks: resolve(document.webhooks) };
}

/** Success schemas are an envelope and the members; both as one object. */
export function flatten(schema) {
  if (!schema?.allOf) return schema ?? {};
  return schema.allOf.reduce(
    (all, part) => ({
      type: 'object',
      properties: { ...all.properties, ...part.properties },
      required: [...all.required, ...(part.required ?? [])],
    }),
    { properties: {}, required: [] },
  );
}

/** Every member with its type, whether it is required, what it means, and its own members. */
export function membersOf(schema) {
  const required = new Set(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => ({
    name,
    type: typeName(member),
    isRequired: required.has(name),
    note: note(member),
    members: membersOf(innerOf(member)),
  }));
}

function innerOf(member) {
  if (member.type === 'array') return innerOf(member.items ?? {});
  return member.properties ? member : (member.anyOf?.find((one) => one.properties) ?? {});
}

const VALUES_AT_MOST = 10;

function typeName(schema) {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) {
    const values = schema.enum.map(String);
    return values.length > VALUES_AT_MOST
      ? `${values.slice(0, VALUES_AT_MOST).join(' | ')} | …`
      : values.join(' | ');
  }
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeName))].join(' | ');
  if (schema.type === 'array') return `list of ${typeName(schema.items ?? {})}`;
  if (schema.format === 'date-time') return 'time';
  return [schema.type ?? 'any'].flat().join(' | ');
}

function note(schema) {
  const parts = [schema.description];
  if (schema.maxLength !== undefined) parts.push(`${schema.minLength ?? 0}–${schema.maxLength} characters`);
  if (schema.maximum !== undefined) parts.push(`${schema.minimum ?? ''}–${schema.maximum}`);
  if (schema.default !== undefined) parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.filter(Boolean).join(' · ');
}

/** Every required member, with a value of the right shape. */
export function exampleOf(schema, name = '') {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.enum) return schema.enum.includes('stellar_testnet') ? 'stellar_testnet' : schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0], name);
  if ([schema.type].flat().includes('null')) return null;
  switch (schema.type) {
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
      return textLike(schema, name);
  }
}

function textLike({ format, pattern = '' }, name) {
  if (format === 'date-time') return AT;
  const [, prefix] = /^\^([a-z]+)_\[0-7\]/.exec(pattern) ?? [];
  if (prefix) return `${prefix}_${ULID}`;
  if (pattern.startsWith('^sha256:')) return `sha256:${'0'.repeat(64)}`;
  if (pattern.startsWith('^(0|[1-9]')) return '12.50';
  return WORDS[name] ?? name;
}

/** Example values for members whose type alone gives a meaningless one. */
const WORDS = {
  name: 'Example Shop',
  amount: '12.50',
  to: 'GAIH3ULLFQ4DGSECF2AR555KZ4KNDGEKN4AFI4SU2M7B43MGK3QJZNSR',
  request_id: 'order-1001',
  connection_id: `con_${ULID}`,
  agent_id: `agt_${ULID}`,
  recipient_id: `rcp_${ULID}`,
  event_id: `evt_${ULID}`,
  asset: 'XLM',
  domain: 'shop.example',
  email: 'owner@shop.example',
  url: 'https://shop.example/webhooks',
  agent_name: 'Shopping agent',
};

/** An id as the description of a path's parameter spells it. */
export function exampleId(description) {
  const [, prefix] = /`([a-z]+)_…`/.exec(description ?? '') ?? [];
  return prefix ? `${prefix}_${ULID}` : 'order-1001';
}
