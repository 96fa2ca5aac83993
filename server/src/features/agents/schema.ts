import {
  type Issue,
  isScope,
  PUBLIC_KEY_FAULTS,
  parsePublicKey,
  parseSignature,
  SCOPES,
} from '@payassent/protocol';
import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';
import { Type } from '@payassent/protocol/records';
import { invalid } from '../../errors.ts';
import { momentIssues, parseMoment, partyNameIssues, textRiskIssues } from './text.ts';

export type AgentInput = BodyOf<typeof api.createAgent>;

export function checkAgentInput(body: Partial<AgentInput>): Issue[] {
  return [
    ...partyNameIssues(body.name),
    ...textRiskIssues(body.runtime, 'runtime'),
    ...textRiskIssues(body.environment, 'environment'),
    ...scopeIssues(body.allowed_scopes),
  ];
}

export type AgentChange = BodyOf<typeof api.updateAgent>;

export function checkAgentChange(body: Partial<AgentChange>): Issue[] {
  return [...partyNameIssues(body.name), ...scopeIssues(body.allowed_scopes)];
}

/** A change that changes nothing is a mistake, and must not raise the version. */
export function refuseEmptyChange(body: AgentChange): void {
  if (Object.keys(body).some((member) => member !== 'version')) return;
  throw invalid([
    {
      field: 'body',
      code: 'required',
      message: 'Name what to change: status, name, allowed_scopes or require_proof.',
    },
  ]);
}

export function scopeIssues(scopes: unknown, field = 'allowed_scopes'): Issue[] {
  if (!Array.isArray(scopes)) return [];
  return scopes.flatMap((scope: unknown, index): Issue[] =>
    isScope(scope)
      ? []
      : [
          {
            field: `${field}[${index}]`,
            code: 'scope_unknown',
            message: `No such scope exists; the scopes are ${SCOPES.join(', ')}.`,
          },
        ],
  );
}

export type CredentialInput = BodyOf<typeof api.registerAgentCredential>;

export function checkCredentialInput(body: Partial<CredentialInput>, now: Date): Issue[] {
  const issues = [
    ...publicKeyIssues(body.public_key),
    ...momentIssues(body.not_before, 'not_before'),
    ...momentIssues(body.expires_at, 'expires_at'),
  ];
  const notBefore = parseMoment(body.not_before);
  const expiresAt = parseMoment(body.expires_at);
  if (expiresAt && expiresAt <= now) {
    issues.push({
      field: 'expires_at',
      code: 'expires_in_past',
      message: 'expires_at must be in the future; leave it out for a key without an end.',
    });
  } else if (expiresAt && notBefore && expiresAt <= notBefore) {
    issues.push({
      field: 'expires_at',
      code: 'out_of_range',
      message: 'expires_at must be later than not_before.',
    });
  }
  return issues;
}

function publicKeyIssues(text: string | undefined): Issue[] {
  if (text === undefined) return [];
  const parsed = parsePublicKey(text);
  if (parsed.ok) return [];
  return [
    {
      field: 'public_key',
      code: 'invalid_format',
      message: `public_key: ${PUBLIC_KEY_FAULTS[parsed.reason]}.`,
    },
  ];
}

export const CredentialProof = Type.Object(
  {
    challenge: Type.String({ description: 'proof_challenge, byte for byte.' }),
    signature: Type.String({
      description: 'Ed25519 over the UTF-8 bytes of the challenge, base64url or base64.',
    }),
  },
  { additionalProperties: false },
);
export type CredentialProof = BodyOf<typeof api.activateAgentCredential>;

export function checkCredentialProof(body: Partial<CredentialProof>): Issue[] {
  return body.signature === undefined || parseSignature(body.signature) ? [] : [SIGNATURE_INVALID];
}

/** One text for every reason, so that it does not reveal how close a forgery came. */
export const SIGNATURE_INVALID: Issue = {
  field: 'signature',
  code: 'signature_invalid',
  message:
    'The signature does not verify: sign the UTF-8 bytes of proof_challenge with the private key of this credential and send 64 bytes as base64url or base64.',
};
