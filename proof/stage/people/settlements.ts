import { randomBytes } from 'node:crypto';
import { jobTopic } from '../../../server/src/jobs/job.ts';
import type { Body } from '../service/client.ts';
import type { ServiceOptions, TestService } from '../service/service.ts';
import { type StandInHorizon, startHorizon } from '../surroundings/stand-in-horizon.ts';
import { succeed } from './merchants.ts';
import { type PaymentStage, pendingRequest, readRequest, report } from './payments.ts';
import { until } from './webhooks.ts';

export const newHash = () => randomBytes(32).toString('hex');

/** Several stand-ins, and the setting that names them. */
export async function startHorizons(
  count: number,
): Promise<{ horizons: StandInHorizon[]; options: ServiceOptions; close(): Promise<void> }> {
  const horizons = await Promise.all(Array.from({ length: count }, startHorizon));
  const urls = horizons.map(({ receiver }) => receiver.url);
  return {
    horizons,
    options: { env: { SVC_OBSERVE: `stellar_testnet=${urls.join('|')}` } },
    async close() {
      await Promise.all(horizons.map(({ receiver }) => receiver.close()));
    },
  };
}

/** A request that the wallet reports as broadcast. */
export async function broadcasted(
  service: Pick<TestService, 'call'>,
  stage: PaymentStage,
  txHash = newHash(),
): Promise<{ request: Body; txHash: string }> {
  const request = await pendingRequest(service, stage);
  await succeed(report(service, stage, request.request_id, { status: 'signed' }));
  const sent = { status: 'broadcasted', tx_hash: txHash };
  await succeed(report(service, stage, request.request_id, sent));
  return { request, txHash };
}

/** Advances the clock by a second, and makes the observer check again without its pause. */
export function passSecond({ clock, context }: Pick<TestService, 'clock' | 'context'>): void {
  clock.advance(1000);
  context.signals.announce(jobTopic('settlement'));
}

/** Advances the clock until the request has this settlement. */
export function settledAs(
  service: TestService,
  stage: PaymentStage,
  requestId: string,
  state: string,
): Promise<Body> {
  return until(async () => {
    passSecond(service);
    const { payment_request: request } = (await succeed(readRequest(service, stage, requestId))).body;
    return request.settlement?.state === state && request;
  }, 90_000);
}
