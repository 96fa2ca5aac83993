import type { IncomingMessage } from 'node:http';
import type { Context } from '../../context.ts';
import { doctorDocument } from '../../doctor/view.ts';
import type { Feature } from '../../feature.ts';
import { unauthenticated } from '../../http/credentials.ts';
import type { DocumentAnswer } from '../../http/document.ts';
import { headerValues } from '../../http/headers.ts';
import { buildOpenApi } from '../../http/openapi.ts';
import type { Route } from '../../http/route.ts';
import type { JobHealth } from '../../jobs/runner.ts';
import { equalInConstantTime } from '../../lib/keys.ts';
import { docsDocuments } from './docs.ts';
import { type HealthParts, health, readiness } from './health.ts';
import { securityDocuments } from './security-txt.ts';

export interface OperationsParts extends Pick<HealthParts, 'vitals' | 'peers'> {
  jobs(): readonly JobHealth[];
  routes(): readonly Route[];
}

/** What operators and tools ask for, beside the API. */
export function operationsFeature(parts: OperationsParts): Feature {
  let openApi: string | undefined;
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
        serve(context) {
          openApi ??= JSON.stringify(buildOpenApi(parts.routes(), context.config.baseUrl));
          return { contentType: 'application/json; charset=utf-8', body: openApi };
        },
      },
      doctorDocument,
      ...docsDocuments(),
      ...securityDocuments(),
    ],
  };
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
