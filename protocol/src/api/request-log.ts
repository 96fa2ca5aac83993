import { ERROR_CODES } from '../errors.ts';
import { id, integer, nullableOneOf, record, Type, text, time } from '../records/schema.ts';
import { operations } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const operation = operations({ tag: 'Agents', credential: ['merchant', 'agent'] });

const LoggedCallSchema = record('LoggedCall', 'A call that an agent made, without its body.', {
  called_at: time('When it got its response.'),
  agent_id: id('agt', 'Whose call it was.'),
  operation: text('What was called: `createPaymentRequest`.'),
  status: integer('The HTTP status of the response.', 100, 599),
  error_code: nullableOneOf(ERROR_CODES, 'What the response refused; null for a call that succeeded.'),
  request_id: text('`X-Request-Id` of the response.'),
  latency_ms: integer('How long the service took, including a requested `wait`.'),
});

export const listRequestLog = operation('listRequestLog', 'GET /v1/request-log', {
  sdk: ['MerchantAgents.requestLog', 'AgentConnections.requestLog'],
  summary: 'List the last calls of an agent',
  description:
    'Newest first, within seconds of the call. Calls with the agent token, a connection token or an API key of the agent are kept for seven days, the newest 10,000 of an organization; of an agent that makes more than 20 calls a second some are left out. Calls whose credential is unknown belong to no agent.',
  query: record('RequestLogQuery', 'Which calls.', {
    ...PAGE_QUERY,
    agent_id: Type.Optional(Type.String({ description: 'Only calls of this agent.' })),
    operation: Type.Optional(Type.String({ description: 'Only calls of this operation.' })),
    error_code: Type.Optional(Type.String({ description: 'Only calls that ended with this error code.' })),
    request_id: Type.Optional(Type.String({ description: 'Only the call with this request id.' })),
  }),
  answer: pageOf('RequestLogPage', 'calls', LoggedCallSchema),
});
