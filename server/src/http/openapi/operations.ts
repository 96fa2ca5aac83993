import type { Tag } from '@payassent/protocol/api';
import { schema, Type } from '@payassent/protocol/records';

type Json = Record<string, unknown>;

export function json(schema: unknown, example?: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

const OPERATIONS: Tag = 'Operations';

const OTHER_METHOD: Json = {
  description: '`method_not_allowed`',
  content: json({ $ref: '#/components/schemas/Error' }),
};

const { anyText, integer, nullableOneOf, oneOf } = schema;

const nullableNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });
const database = oneOf(['ok', 'down'], 'Whether the database responds.');
const workers = Type.Optional(
  Type.Object(
    { serving: integer('How many serve.'), expected: integer('How many should.') },
    { description: 'Worker processes; only where there are several.' },
  ),
);

const HEALTH = schema.record('Health', 'Whether the service can work.', {
  status: oneOf(['ok', 'degraded'], 'Whether the service can work.'),
  version: anyText('The version of the service.'),
  uptime_s: integer('Seconds since the start.'),
  checks: Type.Object(
    {
      database,
      writing: nullableOneOf(
        ['ok', 'refused'],
        'Whether the database confirms writes; null when it is down.',
      ),
      clock_skew_ms: nullableNumber('How far the clocks of service and database are apart.'),
      outbox_lag_s: nullableNumber('How long the oldest message waits to be sent.'),
      jobs: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', enum: ['ok', 'stalled'] },
        description: 'Every background job.',
      }),
      workers,
      mail: oneOf(['ok', 'failing'], 'Whether the last mail of this process was accepted.'),
      witnesses: Type.Optional(
        Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string', enum: ['ok', 'failing'] },
          description:
            'Whether each witness cosigned the last checkpoint it was shown; only where there are some.',
        }),
      ),
    },
    { description: 'What was checked.' },
  ),
  durability: schema.nullableFreeObject('How the database keeps what it has confirmed; null when unknown.'),
  privileges: nullableOneOf(
    ['separate', 'single'],
    'Whether the service works with a role that owns nothing; null when unknown.',
  ),
  networks: Type.Array(Type.String(), { description: 'The networks that are enabled.' }),
});

const READINESS = schema.record('Readiness', 'Whether calls should be sent here.', {
  status: oneOf(['ready', 'not_ready'], 'Whether calls should be sent here.'),
  checks: Type.Object(
    {
      database,
      schema: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'The number of the newest migration; null when unknown.',
      }),
    },
    { description: 'What was checked.' },
  ),
});

/** Next to the API: no envelope, no versioned path. */
export const OPERATIONS_PATHS: Record<string, Json> = {
  '/health': {
    get: {
      operationId: 'getHealth',
      summary: 'Check whether the service can work',
      description:
        'For monitoring. Degraded means that the database, a background job, a worker, mail or a witness has a problem.',
      tags: [OPERATIONS],
      security: [{}],
      responses: {
        200: {
          description: 'The database responds, every background job runs, and at least one worker serves.',
          content: json(HEALTH),
        },
        405: OTHER_METHOD,
        503: { description: 'Degraded.', content: json(HEALTH) },
      },
    },
  },
  '/ready': {
    get: {
      operationId: 'getReadiness',
      summary: 'Check whether calls should be sent here',
      description: 'For load balancers. Not ready while the service starts, stops or cannot work.',
      tags: [OPERATIONS],
      security: [{}],
      responses: {
        200: {
          description: 'Calls can be served: the database responds.',
          content: json(READINESS),
        },
        405: OTHER_METHOD,
        503: {
          description: 'Starting, stopping, or without its database.',
          content: json(READINESS),
        },
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'getMetrics',
      summary: 'Prometheus metrics',
      description: 'Open on a loopback address; elsewhere it needs the token of SVC_METRICS_TOKEN.',
      tags: [OPERATIONS],
      security: [{}, { metricsToken: [] }],
      responses: {
        200: { description: 'Prometheus text.', content: { 'text/plain': { schema: { type: 'string' } } } },
        401: { description: '`unauthenticated`', content: json({ $ref: '#/components/schemas/Error' }) },
      },
    },
  },
};
