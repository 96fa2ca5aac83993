import { type Issue, type IssueCode, MAX_ISSUES } from '@payassent/protocol';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { shortPath } from '../errors.ts';
import { nearestName } from '../lib/nearest.ts';

const ajv = new Ajv2020({
  allErrors: true,
  messages: false,
  // An issue names the type that was sent, not only the one that is needed.
  verbose: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
});
addFormats.default(ajv, ['email', 'uri']);
ajv.addFormat('date-time', isDateTime);

/**
 * Identity comes from the credential; naming it in a request is rejected explicitly, so that no client depends on it.
 */
const IDENTITY_FIELDS = new Set(['merchant_id', 'tenant_id', 'organization_id', 'agent_id']);

/**
 * Issues that are computed for one body: twice what a response lists. A body can have thousands, and its sender may be
 * unknown.
 */
export const MOST_ISSUES = 2 * MAX_ISSUES;

/** Represents an issue that is only counted. */
const UNLISTED: Issue = { field: 'body', code: 'unknown_field', message: 'See the other issues.' };

export type Validator = (value: unknown) => Issue[];

/**
 * The validator lists every issue with its dotted path, up to `MOST_ISSUES`. Its schema is compiled once, with the first
 * value: all of them are 0.3 s of a start.
 */
export function compileValidator(schema: TSchema): Validator {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    if (validate(value)) return [];
    const issues: Issue[] = [];
    const known = new Set<string>();
    const errors = validate.errors ?? [];
    for (const [index, error] of errors.entries()) {
      const issue = toIssue(error);
      if (!issue) continue;
      const name = `${issue.code} ${issue.field}`;
      if (known.has(name)) continue;
      known.add(name);
      issues.push(issue);
      if (issues.length === MOST_ISSUES) return issues.concat(errors.slice(index + 1).map(() => UNLISTED));
    }
    return issues;
  };
}

/** Names of identity are rejected explicitly, even where other unknown names are accepted. */
export function identityIssues(sent: Record<string, unknown>, known: ReadonlySet<string>): Issue[] {
  return unknownParameterIssues(sent, known, true);
}

/** One issue for each unknown query parameter; for an open query only for names of identity. */
export function unknownParameterIssues(
  query: Record<string, unknown>,
  known: ReadonlySet<string>,
  isOpen: boolean,
): Issue[] {
  const issues: Issue[] = [];
  for (const name in query) {
    if (known.has(name)) continue;
    if (IDENTITY_FIELDS.has(name)) issues.push(identityIssue(name));
    else if (!isOpen) issues.push(unknownParameterIssue(name, known));
  }
  return issues;
}

function unknownParameterIssue(sent: string, known: ReadonlySet<string>): Issue {
  const field = sent === '' ? 'query' : shortPath(sent);
  const nearest = nearestName(sent, known);
  const advice = nearest
    ? `did you mean ${nearest}?`
    : known.size === 0
      ? 'it takes none.'
      : `it takes ${[...known].join(', ')}.`;
  return {
    field,
    code: 'unknown_field',
    message: `${sent === '' ? 'An empty name' : field} is not a query parameter of this call: ${advice}`,
  };
}

function identityIssue(field: string): Issue {
  return {
    field,
    code: 'identity_field_forbidden',
    message: `${field} must not be sent: the caller's identity comes from its credential.`,
  };
}

function unknownIssue(field: string): Issue {
  return {
    field,
    code: 'unknown_field',
    message: `${field} is not a field of this call: remove it or correct its name.`,
  };
}

interface Rule {
  code: IssueCode;
  say(field: string, params: Record<string, unknown>, value: unknown): string;
}

const RULES: Record<string, Rule> = {
  type: {
    code: 'invalid_type',
    say: (field, p, value) => `${field} must be ${article(String(p['type']))}; got ${nameOfType(value)}.`,
  },
  enum: {
    code: 'invalid_enum',
    say: (field, p) => `${field} must be one of ${(p['allowedValues'] as unknown[]).join(', ')}.`,
  },
  const: {
    code: 'invalid_enum',
    say: (field, p) => `${field} must be ${JSON.stringify(p['allowedValue'])}.`,
  },
  minLength: {
    code: 'too_short',
    say: (field, p) => `${field} must have at least ${p['limit']} characters.`,
  },
  maxLength: { code: 'too_long', say: (field, p) => `${field} must have at most ${p['limit']} characters.` },
  minItems: { code: 'too_short', say: (field, p) => `${field} must have at least ${p['limit']} entries.` },
  maxItems: { code: 'too_long', say: (field, p) => `${field} must have at most ${p['limit']} entries.` },
  minimum: { code: 'out_of_range', say: (field, p) => `${field} must be at least ${p['limit']}.` },
  maximum: { code: 'out_of_range', say: (field, p) => `${field} must be at most ${p['limit']}.` },
  pattern: { code: 'invalid_format', say: (field) => `${field} does not have the required form.` },
  format: { code: 'invalid_format', say: (field, p) => `${field} must be a valid ${p['format']}.` },
  uniqueItems: { code: 'invalid_format', say: (field) => `${field} must not repeat an entry.` },
  minProperties: { code: 'required', say: (field) => `${field} must name at least one member to change.` },
};

function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return article(typeof value);
}

function toIssue(error: ErrorObject): Issue | undefined {
  const path = dotted(error.instancePath);
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'required') {
    const field = join(path, String(params['missingProperty']));
    return { field, code: 'required', message: `${field} is required.` };
  }
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
    if (path === '' && IDENTITY_FIELDS.has(name)) return identityIssue(name);
    return unknownIssue(join(path, shortPath(name)));
  }
  const rule = RULES[error.keyword];
  if (!rule) return undefined; // combinators only repeat what their branches reported
  const field = path === '' ? 'body' : path;
  return { field, code: rule.code, message: rule.say(field, params, error.data) };
}

/** `/display/items/0/memo` → `display.items[0].memo` */
function dotted(pointer: string): string {
  if (pointer === '') return '';
  let path = '';
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path = /^\d+$/.test(name) && path !== '' ? `${path}[${name}]` : join(path, name);
  }
  return path;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/**
 * Strict RFC 3339, with any number of fraction digits; `Date` reads them to the millisecond. Leap seconds cannot be
 * represented.
 */
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

export function isDateTime(text: string): boolean {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  if (year === undefined) return false;
  return (
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysIn(Number(year), Number(month))
  );
}

/** The last day of a month is the one before the first of the next. Years below 100 need more than the constructor. */
function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
