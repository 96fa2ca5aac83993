import { AdminSessionSchema, ApiKeySchema } from '../records/agent-payment.ts';
import { pattern, record, Type } from '../records/schema.ts';
import { input, name, reference } from './members.ts';
import { operations } from './operation.ts';
import { PAGE, pageOf } from './pages.ts';

const operation = operations({ tag: 'Project access', credential: ['merchant', 'admin'] });

export const createApiKey = operation('createApiKey', 'POST /v1/api-keys', {
  sdk: 'MerchantAccess.createApiKey',
  summary: 'Create a project API key for one agent; it is shown once',
  description: 'The key speaks for one agent on the second surface and works until it is revoked.',
  body: input('ApiKeyInput', 'A new API key.', {
    name: name('What operators see in the list.'),
    agent_id: reference('The agent that the key speaks for.'),
  }),
  status: 201,
  answer: record('CreatedApiKey', 'A new API key. The key itself is shown in this response only.', {
    api_key: pattern('^svc_key_test_', '`svc_key_test_…`; store it as a secret.'),
    ...ApiKeySchema.properties,
  }),
  errors: ['resource_not_found', 'agent_not_active', 'phase_0_mainnet_disabled', 'risk_rejected'],
  example: { name: 'Nightly payouts', agent_id: 'agt_01JC8Z6S410000000000000000' },
});

export const listApiKeys = operation('listApiKeys', 'GET /v1/api-keys', {
  sdk: 'MerchantAccess.listApiKeys',
  summary: 'List the API keys of this organization, newest first; never the keys themselves',
  description: 'Keys that were revoked are listed too.',
  query: PAGE,
  answer: pageOf('ApiKeysPage', 'api_keys', ApiKeySchema),
});

export const revokeApiKey = operation('revokeApiKey', 'DELETE /v1/api-keys/{id}', {
  sdk: 'MerchantAccess.revokeApiKey',
  summary: 'Revoke an API key; it stops working immediately',
  description: 'The next call with the key is refused with token_revoked. Revoking it again changes nothing.',
  answer: record('ApiKeyAnswer', 'One API key, without the key itself.', { api_key: ApiKeySchema }),
});

export const createAdminSession = operation('createAdminSession', 'POST /v1/admin-sessions', {
  sdk: 'MerchantAccess.createAdminSession',
  summary: 'Open an admin session: a bearer for one hour, which ends with this sign-in',
  description: 'For people who act on agent payments and policies without the browser session.',
  credential: ['merchant'],
  status: 201,
  answer: AdminSessionSchema,
});

export const endAdminSession = operation('endAdminSession', 'DELETE /v1/admin-sessions/current', {
  summary: 'End the admin session that is sent as bearer',
  description: 'Afterwards the token is refused with token_revoked.',
  credential: ['admin'],
  allowsPendingMerchant: true,
  answer: Type.Object({}),
});
