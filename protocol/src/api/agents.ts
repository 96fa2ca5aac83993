import { AGENT_STATUSES, CREDENTIAL_ALGORITHMS, SCOPES, type Scope } from '../enumerations.ts';
import { TOKEN_PATH } from '../proofs/agent-assertion.ts';
import { AgentSchema, CredentialSchema } from '../records/connect.ts';
import { constant, oneOf, record, Type, time, typed } from '../records/schema.ts';
import { input, partyName, VERSION } from './members.ts';
import { operations } from './operation.ts';
import { PAGE, pageOf } from './pages.ts';

const operation = operations({ tag: 'Agents', credential: ['merchant'] });

const allowedScopes = Type.Array(typed<Scope>('Scope', { type: 'string' }), {
  minItems: 1,
  uniqueItems: true,
  description: `What the agent may request from customers, out of: ${SCOPES.join(', ')}.`,
});

const label = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });

const AgentAnswer = record('AgentAnswer', 'One agent.', { agent: AgentSchema });
const CredentialAnswer = record('CredentialAnswer', 'One credential.', { credential: CredentialSchema });

export const createAgent = operation('createAgent', 'POST /v1/agents', {
  sdk: 'MerchantAgents.create',
  summary: 'Register an agent and what it may request from customers',
  description:
    'It is pending until its status is changed to active, and needs an active credential before it can act. `require_proof` is true where the service has a public address, unless its host has set SVC_REQUIRE_PROOF=never.',
  body: input('AgentInput', 'A new agent.', {
    name: partyName('What operators and wallets see.'),
    runtime: label('What the agent runs on; shown to customers.'),
    environment: label('Any word, such as `test`.'),
    allowed_scopes: allowedScopes,
  }),
  status: 201,
  errors: ['risk_rejected'],
  answer: AgentAnswer,
  example: {
    name: 'Shopping agent',
    runtime: 'node',
    environment: 'test',
    allowed_scopes: ['payment.requests.create', 'payment.requests.read'],
  },
});

export const listAgents = operation('listAgents', 'GET /v1/agents', {
  sdk: 'MerchantAgents.list',
  summary: 'List the agents of this organization, newest first',
  description: 'Agents that were revoked are listed too.',
  query: PAGE,
  answer: pageOf('AgentsPage', 'agents', AgentSchema),
});

export const getAgent = operation('getAgent', 'GET /v1/agents/{agentId}', {
  sdk: 'MerchantAgents.get',
  summary: 'Read one agent',
  description: 'Its keys are listed separately.',
  answer: AgentAnswer,
});

export const updateAgent = operation('updateAgent', 'PATCH /v1/agents/{agentId}', {
  sdk: 'MerchantAgents.update',
  summary: 'Change the status, name, allowed scopes or proofs of an agent',
  description:
    'Takes effect with the next call of the agent. Revoking is final: its tokens stop working immediately, the rest is ended in the background.',
  body: input('AgentChange', 'A change of an agent.', {
    status: Type.Optional(
      oneOf(AGENT_STATUSES, 'pending → active, active ⇄ suspended, and from each → revoked, which is final.'),
    ),
    name: Type.Optional(partyName('What operators and wallets see.')),
    allowed_scopes: Type.Optional(allowedScopes),
    require_proof: Type.Optional(
      Type.Boolean({
        description:
          "Whether every call with a connection token of this agent needs the header DPoP with a proof (RFC 9449) signed by one of the agent's keys.",
      }),
    ),
    version: VERSION,
  }),
  errors: ['version_conflict', 'invalid_status_transition', 'risk_rejected'],
  answer: AgentAnswer,
  example: { status: 'active', version: 1 },
});

export const registerAgentCredential = operation(
  'registerAgentCredential',
  'POST /v1/agents/{agentId}/credentials',
  {
    summary: 'Register an Ed25519 public key and get the challenge that proves the private one',
    description:
      'The same kid and key again, while unproved, returns 200 with a new challenge; the old one no longer works. The challenge is valid for five minutes.',
    tag: 'Agent credentials',
    body: input('RegisterCredentialInput', 'A public key that is to be registered.', {
      kid: Type.String({
        minLength: 1,
        maxLength: 160,
        pattern: '^[ -~]*$',
        description: 'Names the key in assertions; printable ASCII, unique per agent and never reused.',
      }),
      alg: oneOf(CREDENTIAL_ALGORITHMS, 'The signature algorithm.'),
      public_key: Type.String({
        description: '32 raw bytes as base64url, base64 or hex, or SPKI PEM. Never a private key.',
      }),
      not_before: Type.Optional(time('The key works from this instant on.')),
      expires_at: Type.Optional(time('The key works up to and including this instant.')),
    }),
    errors: ['kid_conflict', 'invalid_status_transition'],
    status: 201,
    statusWhenKnown: 200,
    answer: record('RegisteredCredential', 'A registered key with the text that proves possession.', {
      credential: CredentialSchema,
      proof_challenge: Type.String({ description: 'The text to sign, byte for byte.' }),
      proof_challenge_expires_at: time('When the challenge ends: five minutes ahead.'),
    }),
    example: {
      kid: 'key-2026-11',
      alg: 'Ed25519',
      public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    },
  },
);

export const listAgentCredentials = operation(
  'listAgentCredentials',
  'GET /v1/agents/{agentId}/credentials',
  {
    sdk: 'MerchantCredentials.list',
    summary: 'List the credentials of an agent, newest first',
    description: 'Only public facts: the service never has a private key.',
    tag: 'Agent credentials',
    query: PAGE,
    answer: pageOf('CredentialsPage', 'credentials', CredentialSchema),
  },
);

export const activateAgentCredential = operation(
  'activateAgentCredential',
  'POST /v1/agents/{agentId}/credentials/{credentialId}/activate',
  {
    sdk: 'MerchantCredentials.activate',
    summary: 'Prove possession of the private key with a signature over the challenge',
    description: 'The challenge works once. Afterwards the key can sign assertions.',
    tag: 'Agent credentials',
    body: input('CredentialProof', 'The signature that proves possession of a private key.', {
      challenge: Type.String({ description: 'proof_challenge, byte for byte.' }),
      signature: Type.String({
        description: 'Ed25519 over the UTF-8 bytes of the challenge, base64url or base64.',
      }),
    }),
    errors: ['challenge_expired', 'challenge_used', 'invalid_status_transition'],
    answer: CredentialAnswer,
  },
);

export const revokeAgentCredential = operation(
  'revokeAgentCredential',
  'DELETE /v1/agents/{agentId}/credentials/{credentialId}',
  {
    sdk: 'MerchantCredentials.revoke',
    summary: 'Revoke a credential; every agent token it signed for stops working immediately',
    description: 'Final. The kid can never be registered again for this agent.',
    tag: 'Agent credentials',
    errors: ['invalid_status_transition'],
    answer: CredentialAnswer,
  },
);

export const exchangeAgentAssertion = operation('exchangeAgentAssertion', `POST ${TOKEN_PATH}`, {
  summary: 'Exchange a signed assertion for a short agent token',
  description:
    'A compact JWS with alg EdDSA or Ed25519 and kid; iss = sub = agent id, aud = base URL or this URL, iat, exp at most 300 seconds later, and a jti that is used once.',
  tag: 'Agent token',
  credential: [],
  lateLimits: ['assertions', 'token'],
  body: input('AssertionInput', 'What an agent signed to prove who it is.', {
    assertion: Type.String({ description: 'A compact JWS, signed with a credential of the agent.' }),
  }),
  errors: [
    'invalid_assertion',
    'assertion_clock_skew',
    'assertion_replayed',
    'credential_not_active',
    'agent_not_active',
    'merchant_not_active',
  ],
  answer: record('AgentToken', 'A short token of an agent.', {
    agent_token: Type.String({ description: 'Sent as `Authorization: Bearer …`.' }),
    token_type: constant('Bearer', 'Always `Bearer`.'),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds until it ends.' }),
    scopes: Type.Array(Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] }), {
      description: 'What the agent may request from customers.',
    }),
  }),
});
