import { canonicalJson } from '../encoding/canonical-json.ts';
import { expect } from './claims.ts';

export const EVIDENCE_PROFILE = 'svc.evidence.v1';

export type Json = Record<string, unknown>;

/** A bundle as it was read: its outer shape is known, everything inside is still to be judged. */
export interface BundleParts {
  profile: string;
  service: { origin: string };
  payee: Json | null;
  request: Json;
  agent: Json;
  context: Json | null;
  decision: Json | null;
  history: Json[];
  settlement: Json | null;
  log: { entries: Json[] };
  as_of: string;
  signature: { kid: string; value: string };
}

const MEMBERS = {
  profile: 'string',
  service: 'object',
  payee: 'object?',
  request: 'object',
  agent: 'object',
  context: 'object?',
  decision: 'object?',
  history: 'list',
  settlement: 'object?',
  log: 'object',
  as_of: 'string',
  signature: 'object',
} as const;

/**
 * The text must be the canonical spelling of its content: a text that two readers could parse differently is no
 * evidence.
 */
export function readBundle(text: string): BundleParts {
  const read: unknown = JSON.parse(text);
  expect(isObject(read), 'It is no JSON object.');
  expect(canonicalJson(read) === text, 'It is not written as RFC 8785 has it.');
  for (const [name, kind] of Object.entries(MEMBERS)) {
    const value = read[name];
    const isRight =
      kind === 'string'
        ? typeof value === 'string'
        : kind === 'list'
          ? Array.isArray(value) && value.every(isObject)
          : isObject(value) || (kind === 'object?' && value === null);
    expect(isRight, `${name} is missing or of another type.`);
  }
  expect(Object.keys(read).length === Object.keys(MEMBERS).length, 'It has members of another kind.');
  const parts = read as unknown as BundleParts;
  expect(parts.profile === EVIDENCE_PROFILE, `The profile ${parts.profile} is not known.`);
  expect(
    Array.isArray(parts.log.entries) && parts.log.entries.every(isObject),
    'log.entries is missing or of another type.',
  );
  expect(
    typeof parts.service.origin === 'string' && URL.canParse(parts.service.origin),
    'service.origin is none.',
  );
  return parts;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function equalJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
