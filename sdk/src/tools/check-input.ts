import type { ToolSchema } from './definitions.ts';

/** Lists what is wrong with arguments, in sentences that a model can act on. */
export function inputFaults(schema: ToolSchema, value: unknown, path = ''): string[] {
  const name = path === '' ? 'The arguments' : path;
  const fault = faultOf(schema, value);
  if (fault !== undefined) return [`${name} ${fault}.`];
  if (Array.isArray(value))
    return value.flatMap((item, at) => inputFaults(schema.items ?? {}, item, `${path}[${at}]`));
  if (typeof value !== 'object' || value === null) return [];
  return memberFaults(schema, value as Record<string, unknown>, path === '' ? '' : `${path}.`);
}

function memberFaults(schema: ToolSchema, value: Record<string, unknown>, prefix: string): string[] {
  const { properties = {}, required = [] } = schema;
  const missing = required.filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => `${prefix}${name} is missing.`),
    ...Object.entries(value).flatMap(([name, member]) => {
      if (!Object.hasOwn(properties, name)) return [`${prefix}${name} is not an argument of this tool.`];
      return member === undefined ? [] : inputFaults(properties[name] ?? {}, member, `${prefix}${name}`);
    }),
  ];
}

function faultOf(schema: ToolSchema, value: unknown): string | undefined {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? textFault(schema, value) : 'must be a string';
    case 'integer': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
      const fits = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
      return fits ? undefined : `must be a whole number from ${minimum} to ${maximum}`;
    }
    case 'array': {
      if (!Array.isArray(value)) return 'must be a list';
      const { maxItems = Number.POSITIVE_INFINITY } = schema;
      return value.length > maxItems ? `must have at most ${maxItems} entries` : undefined;
    }
    default:
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? undefined
        : 'must be an object';
  }
}

function textFault(schema: ToolSchema, value: string): string | undefined {
  const { enum: allowed, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const { length } = [...value];
  if (allowed && !allowed.includes(value)) return `must be one of ${allowed.join(', ')}`;
  if (length < minLength) return 'must not be empty';
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern !== undefined && !new RegExp(pattern).test(value))
    return 'must be a positive decimal string such as "12.50", without sign, comma or unit';
  return undefined;
}
