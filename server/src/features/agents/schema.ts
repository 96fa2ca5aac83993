import {
  CREDENTIAL_ALGORITHMS,
  type Issue,
  isScope,
  PUBLIC_KEY_FAULTS,
  parsePublicKey,
  parseSignature,
  SCOPES,
} from '@countersign/protocol';
import { type Static, Type } from 'typebox';
import { invalid } from '../../errors.ts';
import { momentIssues, parseMoment } from './moment.ts';
import { nameIssues, textRiskIssues } from './text.ts';

const name = Type.String({ minLength: 1, maxLength: 200, description: 'What operators and wallets see.' });
const label = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });
const allowedScopes = Type.Array(Type.String(), {
  minItems: 1,
  uniqueItems: true,
  description: `What the agent may ask users for, out of: ${SCOPES.join(', ')}.`,
});
/** Any whole number: one that is not the current version is a conflict, not a fault of form. */
const version = Type.Integer({ description: 'The version of the record that this change is based on.' });

export const AgentInput = Type.Object(
  {
    name,
    runtime: label('What the agent runs on; shown to users.'),
    environment: label('Any word, such as "test".'),
    allowed_scopes: allowedScopes,
  },
  { additionalProperties: false },
);
export type AgentInput = Static<typeof AgentInput>;

export function checkAgentInput(body: Partial<AgentInput>): Issue[] {
  return [
    ...nameIssues(body.name),
    ...textRiskIssues(body.runtime, 'runtime'),
    ...textRiskIssues(body.environment, 'environment'),
    ...scopeIssues(body.allowed_scopes),
  ];
}

export const AgentChange = Type.Object(
  {
    status: Type.Optional(
      Type.Unsafe<'pending' | 'active' | 'suspended' | 'revoked'>({
        type: 'string',
        enum: ['pending', 'active', 'suspended', 'revoked'],
        description: 'pending → active, active ⇄ suspended, and from each → revoked, which is final.',
      }),
    ),
    name: Type.Optional(name),
    allowed_scopes: Type.Optional(allowedScopes),
    require_proof: Type.Optional(
      Type.Boolean({
        description:
          "Whether every call with a connection token of this agent needs the header DPoP with a proof (RFC 9449) signed by one of the agent's keys.",
      }),
    ),
    version,
  },
  { additionalProperties: false },
);
export type AgentChange = Static<typeof AgentChange>;

export function checkAgentChange(body: Partial<AgentChange>): Issue[] {
  return [...nameIssues(body.name), ...scopeIssues(body.allowed_scopes)];
}

/** A change that changes nothing is a misunderstanding, and must not raise the version. */
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

const moment = (description: string) => Type.String({ format: 'date-time', description });

export const CredentialInput = Type.Object(
  {
    kid: Type.String({
      minLength: 1,
      maxLength: 160,
      pattern: '^[ -~]*$',
      description: 'Names the key in assertions; printable ASCII, unique per agent for ever.',
    }),
    alg: Type.Unsafe<'Ed25519'>({ type: 'string', enum: [...CREDENTIAL_ALGORITHMS] }),
    public_key: Type.String({
      description: '32 raw bytes as base64url, base64 or hex, or SPKI PEM. Never a private key.',
    }),
    not_before: Type.Optional(moment('The key works from this instant on.')),
    expires_at: Type.Optional(moment('The key works up to and including this instant.')),
  },
  { additionalProperties: false },
);
export type CredentialInput = Static<typeof CredentialInput>;

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
      message: 'expires_at must lie in the future; leave it out for a key without an end.',
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
export type CredentialProof = Static<typeof CredentialProof>;

export function checkCredentialProof(body: Partial<CredentialProof>): Issue[] {
  return body.signature === undefined || parseSignature(body.signature) ? [] : [SIGNATURE_INVALID];
}

/** One text for every reason: it must not tell how close a forgery came. */
export const SIGNATURE_INVALID: Issue = {
  field: 'signature',
  code: 'signature_invalid',
  message:
    'The signature does not verify: sign the UTF-8 bytes of proof_challenge with the private key of this credential and send 64 bytes as base64url or base64.',
};

export const TokenInput = Type.Object(
  { assertion: Type.String({ description: 'A compact JWS, signed with a credential of the agent.' }) },
  { additionalProperties: false },
);
