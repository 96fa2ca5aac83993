import { isApiError } from '@payassent/sdk';
import { startWorld, type World, type WorldOptions } from '@payassent/world';
import { EXIT } from '../exit-codes.ts';
import { payInBrief } from './brief-payment.ts';
import { connectAgent } from './connect-steps.ts';
import { createDemoStage, type DemoStage } from './demo-stage.ts';
import type { Entry } from './entries.ts';
import { maskText } from './masking.ts';
import { setUpMerchant } from './merchant-steps.ts';
import { payByApproval } from './payment-steps.ts';
import { payByPolicy } from './policy-steps.ts';

export interface DemoOptions {
  tell(entry: Entry): void;
  /** Between two steps. */
  pause(): Promise<void>;
  signal: AbortSignal;
  /** Where the service listens; a free port unless stated. */
  port?: number;
  /** Where the service is called, when something stands between, such as a proxy that shows the traffic. */
  baseUrl?: string;
}

/** Starts a world, walks the whole way, and leaves nothing behind. Answers the exit code. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { tell, pause, signal } = options;
  let world: World | undefined;
  let stage: DemoStage | undefined;
  try {
    world = await startWorld(worldOptions(options));
    stage = createDemoStage({ world, signal, tell, pause });
    const { service, dns, mail, webhooks } = world;
    tell({
      type: 'start',
      service: service.url,
      dns: dns.address,
      mail: mail.url,
      webhooks: webhooks.url,
      data: service.dataDir,
    });
    await walk(stage, tell);
    return EXIT.ok;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    const { number: step = 0, title = 'The service starts' } = stage?.position ?? {};
    tell({ type: 'failure', ok: false, step, title, message: maskText(describe(error)) });
    return EXIT.refused;
  } finally {
    await world?.stop();
  }
}

function worldOptions({ port, baseUrl, signal }: DemoOptions): WorldOptions {
  return {
    ports: port === undefined ? {} : { service: port },
    service: { env: { SVC_LOG_LEVEL: 'error' }, ...(baseUrl === undefined ? {} : { baseUrl }) },
    signal,
  };
}

async function walk(stage: DemoStage, tell: (entry: Entry) => void): Promise<void> {
  const startedAt = performance.now();
  await payInBrief(stage);
  const merchant = await setUpMerchant(stage);
  const connected = await connectAgent(stage, merchant.client);
  const paid = await payByApproval(stage, merchant, connected);
  const policy = await payByPolicy(stage, merchant, connected);
  const { calls, webhooks } = stage.counts;
  tell({
    type: 'summary',
    ok: true,
    steps: stage.position.number,
    calls,
    webhooks,
    duration_ms: Math.round(performance.now() - startedAt),
    results: [
      `${paid.request_id}: ${paid.payment.amount} ${paid.payment.asset}, asked for by the agent, approved by the user, ${paid.status}`,
      `${policy.withinLimits}: paid within the limits the user had set; ${policy.remaining} of them remain`,
      `${policy.byPerson}: refused to the agent, submitted by a person, approved by the user`,
    ],
  });
}

function describe(error: unknown): string {
  if (isApiError(error)) {
    const issues = error.issues.map(({ field, message }) => `\n  ${field}: ${message}`).join('');
    return `${error.message} (${error.serverCode}, request ${error.requestId ?? 'without id'})${issues}`;
  }
  return error instanceof Error ? error.message : String(error);
}
