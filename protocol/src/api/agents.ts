import { Type } from 'typebox';
import { TOKEN_PATH } from '../agent-assertion.ts';
import { CREDENTIAL_ALGORITHMS, SCOPES } from '../enumerations.ts';
import { AgentSchema, CredentialSchema } from '../records/connect.ts';
import { oneOf } from '../records/schema.ts';
import { operation } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const allowedScopes = Type.Array(Type.String(), {
  minItems: 1,
  uniqueItems: true,
  description: `What the agent may ask users for, out of: ${SCOPES.join(', ')}.`,
});

const label = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });

const name = Type.String({ minLength: 1, maxLength: 200, description: 'What operators and wallets see.' });

const AgentInput = Type.Object(
  {
    name,
    runtime: label('What the agent runs on; shown to users.'),
    environment: label('Any word, such as "test".'),
    allowed_scopes: allowedScopes,
  },
  { additionalProperties: false },
);

const TAG = 'Agents';

/** Any whole number: one that is not the current version is a conflict, not a fault of form. */
const version = Type.Integer({ description: 'The version of the record that this change is based on.' });

const AgentChange = Type.Object(
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

const moment = (description: string) => Type.String({ format: 'date-time', description });

const CredentialInput = Type.Object(
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

const CredentialProof = Type.Object(
  {
    challenge: Type.String({ description: 'proof_challenge, byte for byte.' }),
    signature: Type.String({
      description: 'Ed25519 over the UTF-8 bytes of the challenge, base64url or base64.',
    }),
  },
  { additionalProperties: false },
);

const TokenInput = Type.Object(
  { assertion: Type.String({ description: 'A compact JWS, signed with a credential of the agent.' }) },
  { additionalProperties: false },
);

export const createAgent = operation({
  id: 'createAgent',
  method: 'POST',
  path: '/v1/agents',
  summary: 'Register an agent and what it may ask users for',
  tag: TAG,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  body: AgentInput,
  status: 201,
  errors: ['risk_rejected'],
  answer: Type.Object({ agent: AgentSchema }),
});

export const listAgents = operation({
  id: 'listAgents',
  method: 'GET',
  path: '/v1/agents',
  summary: 'List the agents of this organization, newest first',
  tag: TAG,
  credential: ['merchant'],
  limit: 'reads',
  query: Type.Object(PAGE_QUERY),
  answer: pageOf('agents', AgentSchema),
});

export const getAgent = operation({
  id: 'getAgent',
  method: 'GET',
  path: '/v1/agents/{agentId}',
  summary: 'Read one agent',
  tag: TAG,
  credential: ['merchant'],
  limit: 'reads',
  errors: ['resource_not_found'],
  answer: Type.Object({ agent: AgentSchema }),
});

export const updateAgent = operation({
  id: 'updateAgent',
  method: 'PATCH',
  path: '/v1/agents/{agentId}',
  summary: 'Change the status, name, allowed scopes or proofs of an agent',
  description:
    'Takes effect with the next call of the agent, whichever process serves it. Revoking is final: its tokens are dead at once, its credentials, invitations and connections are ended in the background.',
  tag: TAG,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  body: AgentChange,
  errors: ['resource_not_found', 'version_conflict', 'invalid_status_transition', 'risk_rejected'],
  answer: Type.Object({ agent: AgentSchema }),
});

export const registerAgentCredential = operation({
  id: 'registerAgentCredential',
  method: 'POST',
  path: '/v1/agents/{agentId}/credentials',
  summary: 'Register an Ed25519 public key and get the challenge that proves the private one',
  description:
    'The same kid and key again, while unproved, answers 200 with a fresh challenge; the old one is dead. The challenge is valid for five minutes.',
  tag: 'Agent credentials',
  credential: ['merchant'],
  limit: 'merchant_mutations',
  body: CredentialInput,
  errors: ['resource_not_found', 'kid_conflict', 'invalid_status_transition'],
  status: 201,
  statusWhenKnown: 200,
  answer: Type.Object({
    credential: CredentialSchema,
    proof_challenge: Type.String({ description: 'The text to sign, byte for byte.' }),
    proof_challenge_expires_at: Type.String({ format: 'date-time' }),
  }),
});

export const listAgentCredentials = operation({
  id: 'listAgentCredentials',
  method: 'GET',
  path: '/v1/agents/{agentId}/credentials',
  summary: 'List the credentials of an agent, newest first',
  tag: 'Agent credentials',
  credential: ['merchant'],
  limit: 'reads',
  query: Type.Object(PAGE_QUERY),
  errors: ['resource_not_found'],
  answer: pageOf('credentials', CredentialSchema),
});

export const activateAgentCredential = operation({
  id: 'activateAgentCredential',
  method: 'POST',
  path: '/v1/agents/{agentId}/credentials/{credentialId}/activate',
  summary: 'Prove possession of the private key with a signature over the challenge',
  tag: 'Agent credentials',
  credential: ['merchant'],
  limit: 'merchant_mutations',
  body: CredentialProof,
  errors: ['resource_not_found', 'challenge_expired', 'challenge_used', 'invalid_status_transition'],
  answer: Type.Object({ credential: CredentialSchema }),
});

export const revokeAgentCredential = operation({
  id: 'revokeAgentCredential',
  method: 'DELETE',
  path: '/v1/agents/{agentId}/credentials/{credentialId}',
  summary: 'Revoke a credential; every agent token it signed for is dead at once',
  tag: 'Agent credentials',
  credential: ['merchant'],
  limit: 'merchant_mutations',
  errors: ['resource_not_found', 'invalid_status_transition'],
  answer: Type.Object({ credential: CredentialSchema }),
});

export const exchangeAgentAssertion = operation({
  id: 'exchangeAgentAssertion',
  method: 'POST',
  path: TOKEN_PATH,
  summary: 'Exchange a signed assertion for a short agent token',
  description:
    'A compact JWS with alg EdDSA or Ed25519 and kid; iss = sub = agent id, aud = base URL or this URL, iat, exp at most 300 seconds later, and a jti that is used once.',
  tag: 'Agent token',
  credential: [],
  lateLimits: ['assertions', 'token'],
  body: TokenInput,
  errors: [
    'invalid_assertion',
    'assertion_clock_skew',
    'assertion_replayed',
    'credential_not_active',
    'agent_not_active',
    'merchant_not_active',
  ],
  answer: Type.Object({
    agent_token: Type.String(),
    token_type: Type.Unsafe<'Bearer'>({ type: 'string', const: 'Bearer' }),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds.' }),
    scopes: Type.Array(oneOf(SCOPES)),
  }),
});
