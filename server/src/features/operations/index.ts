import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Context } from '../../context.ts';
import { unauthenticated } from '../../http/credentials.ts';
import {
  type Document,
  type DocumentAnswer,
  type ServedFile,
  serveFile,
  tagOf,
} from '../../http/document.ts';
import { headerValues } from '../../http/headers.ts';
import { buildOpenApi } from '../../http/openapi/index.ts';
import { publishedRoutes } from '../../http/route.ts';
import type { JobHealth } from '../../jobs/runner.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { equalInConstantTime } from '../../lib/keys.ts';
import type { Feature } from '../feature.ts';
import { doctorDocument } from './doctor.ts';
import { type HealthParts, health, readiness } from './health.ts';

export interface OperationsParts extends Pick<HealthParts, 'vitals' | 'peers' | 'observer'> {
  jobs(): readonly JobHealth[];
}

/** The paths for hosts and tools, next to the API. */
export function operationsFeature(parts: OperationsParts): Feature {
  let openApi: ServedFile | undefined;
  return {
    name: 'operations',
    documents: [
      {
        method: 'GET',
        path: '/health',
        serve: (context) => health(context, { ...parts, jobs: parts.jobs() }),
      },
      {
        method: 'GET',
        path: '/ready',
        serve: (context) => readiness(context, { ...parts, jobs: parts.jobs() }),
      },
      { method: 'GET', path: '/metrics', serve: metrics },
      {
        method: 'GET',
        path: '/openapi.json',
        serve(context, request) {
          openApi ??= contractOf(JSON.stringify(buildOpenApi(publishedRoutes(), context.config.baseUrl)));
          return serveFile(openApi, request, { 'cache-control': 'no-cache' });
        },
      },
      doctorDocument,
      ...securityDocuments(),
    ],
  };
}

/** Large and rarely changed: requested again, it is sent only when it has changed. */
function contractOf(text: string): ServedFile {
  return {
    contentType: 'application/json; charset=utf-8',
    body: text,
    compressed: [{ encoding: 'gzip', body: gzipSync(text) }],
    tag: tagOf(text),
  };
}

async function metrics(context: Context, request: IncomingMessage): Promise<DocumentAnswer> {
  const { metricsToken: expected, baseUrlIsLoopback } = context.config;
  if (expected) {
    const sent = headerValues(request, 'authorization');
    const token = /^Bearer +(.*)$/i.exec(sent[0] ?? '')?.[1] ?? '';
    if (sent.length !== 1 || !equalInConstantTime(token, expected.reveal())) throw unauthenticated();
  } else if (!baseUrlIsLoopback) {
    // The load of a service and what it rejects concern its host only.
    throw unauthenticated();
  }
  const { contentType, text } = await context.metrics.render();
  return { contentType, body: text };
}

const SECURITY_PATH = '/.well-known/security.txt';
const POLICY_PATH = '/.well-known/security-policy.txt';
const TEXT = 'text/plain; charset=utf-8';
/**
 * RFC 9116 recommends less than a year. Counted from the moment of reading, so that a long run never shows a past one.
 */
const VALID_DAYS = 180;

const POLICY = `Please report a vulnerability privately to the contact in ${SECURITY_PATH}, not in public.
Say what you did, what happened, and what an attacker would gain.
Use your own accounts and wallets only, and stop when you see data of others.
You will hear back within three working days.
`;

/** Where to report a vulnerability (RFC 9116). */
function securityDocuments(): Document[] {
  return [
    {
      method: 'GET',
      path: SECURITY_PATH,
      serve({ config, clock }) {
        const expires = addMs(clock.now(), VALID_DAYS * DAY_MS);
        const lines = [
          `Contact: ${config.securityContact}`,
          `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
          'Preferred-Languages: en',
          `Policy: ${config.baseUrl}${POLICY_PATH}`,
          `Canonical: ${config.baseUrl}${SECURITY_PATH}`,
          '',
        ];
        return { contentType: TEXT, body: lines.join('\n') };
      },
    },
    { method: 'GET', path: POLICY_PATH, serve: () => ({ contentType: TEXT, body: POLICY }) },
  ];
}
