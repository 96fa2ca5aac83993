import type { Tag } from '@payassent/protocol/api';

type Json = Record<string, unknown>;

export function json(schema: unknown): Json {
  return { 'application/json': { schema } };
}

const OPERATIONS: Tag = 'Operations';

const OTHER_METHOD: Json = {
  description: '`method_not_allowed`',
  content: json({ $ref: '#/components/schemas/Error' }),
};

/** Beside the API: no envelope, no versioned path. */
export const OPERATIONS_PATHS: Record<string, Json> = {
  '/health': {
    get: {
      operationId: 'getHealth',
      summary: 'Tell whether the service can work',
      tags: [OPERATIONS],
      security: [{}],
      responses: {
        200: {
          description: 'The database answers and every background loop turns.',
          content: json({ $ref: '#/components/schemas/Health' }),
        },
        405: OTHER_METHOD,
        503: { description: 'Degraded.', content: json({ $ref: '#/components/schemas/Health' }) },
      },
    },
  },
  '/ready': {
    get: {
      operationId: 'getReadiness',
      summary: 'Tell whether calls should be sent here',
      tags: [OPERATIONS],
      security: [{}],
      responses: {
        200: {
          description: 'The database answers, every background loop turns, and every worker serves.',
          content: json({ $ref: '#/components/schemas/Readiness' }),
        },
        405: OTHER_METHOD,
        503: {
          description: 'Starting, stopping or degraded.',
          content: json({ $ref: '#/components/schemas/Readiness' }),
        },
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'getMetrics',
      summary: 'Prometheus metrics',
      tags: [OPERATIONS],
      security: [{}, { metricsToken: [] }],
      responses: {
        200: { description: 'Prometheus text.', content: { 'text/plain': { schema: { type: 'string' } } } },
        401: { description: '`unauthenticated`', content: json({ $ref: '#/components/schemas/Error' }) },
      },
    },
  },
};

/** Only with several of them. */
const WORKERS: Json = {
  type: 'object',
  properties: { serving: { type: 'integer' }, expected: { type: 'integer' } },
};

const HEALTH: Json = {
  type: 'object',
  required: ['status', 'version', 'uptime_s', 'checks', 'durability', 'privileges', 'networks'],
  properties: {
    status: { type: 'string', enum: ['ok', 'degraded'] },
    version: { type: 'string' },
    uptime_s: { type: 'integer' },
    checks: {
      type: 'object',
      required: ['database', 'clock_skew_ms', 'outbox_lag_s'],
      properties: {
        database: { type: 'string', enum: ['ok', 'down'] },
        clock_skew_ms: { type: ['number', 'null'] },
        outbox_lag_s: { type: ['number', 'null'] },
        workers: WORKERS,
      },
    },
    durability: { type: ['object', 'null'] },
    privileges: { type: ['string', 'null'], enum: ['separate', 'single', null] },
    networks: { type: 'array', items: { type: 'string' } },
  },
};

const READINESS: Json = {
  type: 'object',
  required: ['status', 'checks'],
  properties: {
    status: { type: 'string', enum: ['ready', 'not_ready'] },
    checks: {
      type: 'object',
      required: ['database', 'schema', 'jobs'],
      properties: {
        database: { type: 'string', enum: ['ok', 'down'] },
        schema: { type: ['integer', 'null'] },
        jobs: { type: 'object', additionalProperties: { type: 'string', enum: ['ok', 'stalled'] } },
        workers: WORKERS,
      },
    },
  },
};

export const OPERATIONS_SCHEMAS: Record<string, Json> = { Health: HEALTH, Readiness: READINESS };
