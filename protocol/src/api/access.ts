import { Type } from 'typebox';
import { AdminSessionSchema, ApiKeySchema } from '../records/agent-payment.ts';
import { operation } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const ApiKeyInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'What operators see in the list.' }),
    agent_id: Type.String({
      minLength: 1,
      maxLength: 160,
      description: 'The agent that the key speaks for.',
    }),
  },
  { additionalProperties: false },
);

/** The key itself leaves once, beside the members of its record. */
const NewApiKeyAnswer = Type.Object({
  api_key: Type.Unsafe<string>({ type: 'string', pattern: '^svc_key_test_' }),
  ...ApiKeySchema.properties,
});

const TAG = 'Project access';

const ApiKeyListAnswer = pageOf('api_keys', ApiKeySchema);

const ApiKeyAnswer = Type.Object({ api_key: ApiKeySchema });

const AdminSessionAnswer = AdminSessionSchema;

export const createApiKey = operation({
  id: 'createApiKey',
  method: 'POST',
  path: '/v1/api-keys',
  summary: 'Create a project API key for one agent; it is shown once',
  tag: TAG,
  credential: ['merchant', 'admin'],
  limit: 'merchant_mutations',
  body: ApiKeyInput,
  status: 201,
  answer: NewApiKeyAnswer,
  errors: ['resource_not_found', 'agent_not_active', 'phase_0_mainnet_disabled', 'risk_rejected'],
});

export const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/v1/api-keys',
  summary: 'List the API keys of this organization, newest first; never the keys themselves',
  tag: TAG,
  credential: ['merchant', 'admin'],
  limit: 'reads',
  query: Type.Object(PAGE_QUERY),
  answer: ApiKeyListAnswer,
});

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/v1/api-keys/{id}',
  summary: 'Revoke an API key; it is dead at once',
  tag: TAG,
  credential: ['merchant', 'admin'],
  limit: 'merchant_mutations',
  answer: ApiKeyAnswer,
  errors: ['resource_not_found'],
});

export const createAdminSession = operation({
  id: 'createAdminSession',
  method: 'POST',
  path: '/v1/admin-sessions',
  summary: 'Open an admin session: a bearer for one hour, which ends with this sign-in',
  tag: TAG,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  status: 201,
  answer: AdminSessionAnswer,
});

export const endAdminSession = operation({
  id: 'endAdminSession',
  method: 'DELETE',
  path: '/v1/admin-sessions/current',
  summary: 'End the admin session that is sent as bearer',
  tag: TAG,
  credential: ['admin'],
  limit: 'merchant_mutations',
  allowsPendingMerchant: true,
  answer: Type.Object({}),
});
