import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Context } from '../../context.ts';
import { unauthenticated } from '../../http/credentials.ts';
import type { DocumentAnswer } from '../../http/document.ts';
import { headerValues } from '../../http/headers.ts';
import { buildOpenApi } from '../../http/openapi/index.ts';
import { publishedRoutes } from '../../http/route.ts';
import type { JobHealth } from '../../jobs/runner.ts';
import { equalInConstantTime } from '../../lib/keys.ts';
import { doctorDocument } from '../../maintenance/doctor/view.ts';
import type { Feature } from '../feature.ts';
import { type HealthParts, health, readiness } from './health.ts';
import { securityDocuments } from './security-txt.ts';

export interface OperationsParts extends Pick<HealthParts, 'vitals' | 'peers' | 'observer'> {
  jobs(): readonly JobHealth[];
}

/** What operators and tools ask for, beside the API. */
export function operationsFeature(parts: OperationsParts): Feature {
  let openApi: Compressed | undefined;
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
          openApi ??= compressed(JSON.stringify(buildOpenApi(publishedRoutes(), context.config.baseUrl)));
          return contract(openApi, request);
        },
      },
      doctorDocument,
      ...securityDocuments(),
    ],
  };
}

interface Compressed {
  text: string;
  gzip: Buffer;
  tag: string;
}

function compressed(text: string): Compressed {
  const tag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  return { text, gzip: gzipSync(text), tag };
}

/** Large and seldom another one: asked for again, it is sent again only when it has changed. */
function contract({ text, gzip, tag }: Compressed, request: IncomingMessage): DocumentAnswer {
  const contentType = 'application/json; charset=utf-8';
  const headers = { etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' };
  if (headerValues(request, 'if-none-match').some((value) => value.includes(tag)))
    return { status: 304, contentType, body: '', headers };
  const takesGzip = headerValues(request, 'accept-encoding').some((value) => /\bgzip\b/.test(value));
  if (!takesGzip) return { contentType, body: text, headers };
  return { contentType, body: gzip, headers: { ...headers, 'content-encoding': 'gzip' } };
}

async function metrics(context: Context, request: IncomingMessage): Promise<DocumentAnswer> {
  const { metricsToken: expected, baseUrlIsLoopback } = context.config;
  if (expected) {
    const sent = headerValues(request, 'authorization');
    const token = /^Bearer +(.*)$/i.exec(sent[0] ?? '')?.[1] ?? '';
    if (sent.length !== 1 || !equalInConstantTime(token, expected.reveal())) throw unauthenticated();
  } else if (!baseUrlIsLoopback) {
    // How busy a service is and what it refuses concerns its operator only.
    throw unauthenticated();
  }
  const { contentType, text } = await context.metrics.render();
  return { contentType, body: text };
}
