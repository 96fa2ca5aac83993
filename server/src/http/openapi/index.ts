import { ERRORS, type ErrorCode } from '@payassent/protocol';
import { type CredentialKind, isMutation, pathParameters, TAGS } from '@payassent/protocol/api';
import {
  AgentPaymentErrorEnvelopeSchema,
  ErrorEnvelopeSchema,
  schema,
  Type,
} from '@payassent/protocol/records';
import type { TSchema } from 'typebox';
import { VERSION } from '../../lib/version.ts';
import { type PublishedRoute, REPLAYED_HEADER } from '../route.ts';
import { nameParameters, nameResponses, nameSchemas, pascalCase } from './components.ts';
import {
  answerOf,
  publishedBody,
  publishedQuery,
  refusalsOf,
  successStatuses,
  waitingAnswer,
} from './documented.ts';
import { json, OPERATIONS_PATHS } from './operations.ts';
import { webhookDocuments } from './webhooks.ts';

type Json = Record<string, unknown>;

/** OpenAPI 3.1, generated from the very schemas that the routes validate with. */
export function buildOpenApi(routes: readonly PublishedRoute[], baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of [...routes].sort((a, b) => a.path.localeCompare(b.path, 'en'))) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  const document = nameSchemas({
    openapi: '3.1.0',
    info: {
      title: 'PayAssent',
      version: VERSION,
      description:
        'Payments that software agents request and people approve. The service never holds a key, signs or broadcasts.',
      contact: { name: 'Operator of this service', url: `${baseUrl}/.well-known/security.txt` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl, 'x-internal': false }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...OPERATIONS_PATHS },
    webhooks: webhookDocuments(),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      schemas: {
        Error: untitled(ErrorEnvelopeSchema),
        SurfaceError: untitled(AgentPaymentErrorEnvelopeSchema),
      },
    },
  });
  return nameParameters(nameResponses(document));
}

const SECURITY_NAMES: Record<CredentialKind, string> = {
  merchant: 'merchantSession',
  agent: 'agentToken',
  claim: 'claimToken',
  connection: 'connectionToken',
  wallet: 'deviceToken',
  api_key: 'apiKey',
  admin: 'adminSession',
};

const bearer = (description: string): Json => ({ type: 'http', scheme: 'bearer', description });

const SECURITY_SCHEMES: Record<string, Json> = {
  merchantSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-svc_session',
    description: 'Merchant session (svc_session on a loopback address).',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'The csrf_token of the merchant session, on every mutation.',
  },
  agentToken: bearer('Agent token, svc_at_…'),
  claimToken: bearer('Claim token, svc_cl_…'),
  connectionToken: bearer('Connection token, svc_ct_…'),
  deviceToken: bearer(
    'Device token, svc_dt_…; instead of it device_id and token may be sent in the body, in the query of a GET, or in either of a DELETE.',
  ),
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-svc-api-key',
    description: 'Project API key, svc_key_test_…',
  },
  adminSession: bearer('Admin session, svc_st_…'),
  metricsToken: bearer('The token of SVC_METRICS_TOKEN, where it is set.'),
};

function operation(route: PublishedRoute): Json {
  const parameters = [
    ...inPath(route),
    ...queryParameters(route),
    ...(route.idempotent ? IDEMPOTENCY_HEADERS : []),
    ...(route.streams ? [LAST_EVENT_ID] : []),
  ];
  const body = namedBody(route);
  return {
    operationId: route.id,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    security: security(route),
    ...(route.authority ? { 'x-required-role': route.authority.role } : {}),
    ...(route.authority?.stepUp ? { 'x-step-up': true } : {}),
    ...(route.authority?.fourEyes ? { 'x-four-eyes': true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body
      ? { requestBody: { ...needed(requiredIn(body).length > 0), content: json(body, route.example) } }
      : {}),
    responses: { ...successes(route), ...failures(route) },
  };
}

/** Every input has a name: its own, that of its call, or that of the fields common to every call of a wallet. */
function namedBody(route: PublishedRoute): Json | undefined {
  const body = publishedBody(route);
  const name = route.body ? `${pascalCase(route.id)}Input` : 'DeviceFields';
  return (
    body && { title: name, description: 'The credential of a wallet, where it is not a header.', ...body }
  );
}

function requiredIn(schema: { required?: unknown } | undefined): readonly string[] {
  return (schema?.required ?? []) as readonly string[];
}

function security(route: PublishedRoute): Json[] {
  if (route.credential.length === 0) return [{}];
  return route.credential.map((kind) => ({
    [SECURITY_NAMES[kind]]: [],
    ...(kind === 'merchant' && isMutation(route.method) ? { csrf: [] } : {}),
  }));
}

/** An optional member has no `required`: that is the meaning of its absence. */
function needed(isNeeded: boolean): Json {
  return isNeeded ? { required: true } : {};
}

function inPath(route: PublishedRoute): Json[] {
  return pathParameters(route.path).map(({ name, description }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', minLength: 1 },
  }));
}

function queryParameters(route: PublishedRoute): Json[] {
  const required = requiredIn(route.query);
  return Object.entries(publishedQuery(route)).map(([name, property]) => {
    const { description, ...rest } = property as Json;
    return {
      name,
      in: 'query',
      ...needed(required.includes(name) && rest['default'] === undefined),
      ...(isDeviceField(route, name) ? { deprecated: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

/** A token in an address ends up in logs and histories. */
function isDeviceField(route: PublishedRoute, name: string): boolean {
  return route.credential.includes('wallet') && (name === 'device_id' || name === 'token');
}

const KEY_TEXT = 'A stable key of 1 to 256 characters; the body member idempotency_key is the same thing.';
const IDEMPOTENCY_HEADERS: Json[] = Object.entries({
  'X-Idempotency-Key': KEY_TEXT,
  'Idempotency-Key': `${KEY_TEXT} May be in quotes, which are not part of it.`,
}).map(([name, description]) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', maxLength: 256 },
}));

const LAST_EVENT_ID: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Of a stream: the last sequence that is known; instead of `since`.',
  schema: { type: 'string' },
};

function successes(route: PublishedRoute): Json {
  const content = {
    ...json(envelope(route, route.answer)),
    ...(route.streams
      ? { 'text/event-stream': { schema: { type: 'string', description: streamText(route.streams) } } }
      : {}),
  };
  const waits = waitingAnswer(route) !== undefined;
  const waiting = route.waits ? TAKES_EFFECT_LATER : WAITS;
  const [usual, known] = successStatuses(route)
    .filter((status) => !waits || status !== 202)
    .map(String);
  const again = route.idempotent ? REPLAYED : KNOWN_ALREADY;
  return {
    [usual ?? '200']: { description: 'Done.', content },
    ...(known === undefined
      ? {}
      : {
          [known]: { ...again, content },
        }),
    ...(waits ? { 202: { ...waiting, content: json(envelope(route, answerOf(route, 202))) } } : {}),
  };
}

function streamText(event: string): string {
  return `\`event: ${event}\`, \`id\` its sequence, \`data\` the event; a comment every 15 seconds.`;
}

const WAITS: Json = {
  description: 'The organization requires two owners: nothing has changed, another owner decides.',
};

const TAKES_EFFECT_LATER: Json = {
  description: 'Nothing has changed yet: the change takes effect after 24 hours unless a device cancels it.',
};

const KNOWN_ALREADY: Json = { description: 'The record was there already.' };

const REPLAYED: Json = {
  description: 'A repeat: the idempotency key was used for the same before. The record as it is now.',
  headers: {
    [REPLAYED_HEADER]: {
      description: 'Set on a repeat only.',
      required: true,
      schema: { type: 'string', const: 'true' },
    },
  },
};

const SUCCESS = schema.record('Success', 'What every success carries.', {
  ok: schema.constant(true, 'Always true.'),
});

const SURFACE_SUCCESS = schema.record('SurfaceSuccess', 'What every success of the second surface carries.', {
  success: schema.constant(true, 'Always true.'),
  request_id: schema.text('Names this call in logs; quote it in a support request.'),
  timestamp: schema.time('When the response was written.'),
});

function envelope(route: PublishedRoute, answer: TSchema): Json {
  if (route.isBare) return answer as unknown as Json;
  if (route.surface === 'first') return { allOf: [SUCCESS, answer] };
  return { allOf: [SURFACE_SUCCESS, Type.Object({ data: answer })] };
}

function untitled(schema: TSchema): Json {
  const { title: _, ...rest } = schema as Json;
  return rest;
}

/**
 * Errors that any call can meet are one entry: a body that is too large or of another type, and failures of the
 * service. Not as ranges such as 5XX: some generators write code from them that does not compile.
 */
function statusKey(httpStatus: number): string {
  const isCommon = httpStatus >= 500 || httpStatus === 413 || httpStatus === 415;
  return isCommon ? 'default' : String(httpStatus);
}

/** By status, each with its codes. */
function failures(route: PublishedRoute): Json {
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of refusalsOf(route)) {
    const status = statusKey(ERRORS[code].httpStatus);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const schema = { $ref: `#/components/schemas/${route.surface === 'first' ? 'Error' : 'SurfaceError'}` };
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([status, list]) => [
        status,
        {
          description: list
            .sort()
            .map((code) => `\`${code}\``)
            .join(', '),
          ...(FAILURE_HEADERS[status] ? { headers: FAILURE_HEADERS[status] } : {}),
          content: json(schema),
        },
      ]),
  );
}

const HEADERS: Record<string, Json> = {
  'Retry-After': { description: 'Seconds.', schema: { type: 'string', pattern: '^[0-9]+$' } },
  RateLimit: {
    description:
      'What is left, as a structured field; on successes of limited calls too, with `RateLimit-Policy`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': { description: 'The limit, as a structured field.', schema: { type: 'string' } },
};

const named = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const FAILURE_HEADERS: Record<string, Json> = {
  429: named('Retry-After', 'RateLimit', 'RateLimit-Policy'),
  default: named('Retry-After'),
};
