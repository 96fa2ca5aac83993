import { succeed, uniqueEmail } from '../people/merchants.ts';
import { paymentStage, pendingRequest, report } from '../people/payments.ts';
import { enrolDevice } from '../people/wallets.ts';
import { activeEndpoint } from '../people/webhooks.ts';
import { startHttpReceiver } from '../surroundings/http-receiver.ts';
import type { Caller } from './client.ts';
import { startService, type TestService } from './service.ts';

/** Series as they are written, `name{label="value"}`, and their values. */
export async function readMetrics(service: { call: Caller }): Promise<Map<string, number>> {
  const { text } = await service.call('GET', '/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** A service whose background work is paused, with something in every queue. */
export async function backloggedService(): Promise<TestService> {
  const service = await startService();
  const receiver = await startHttpReceiver();
  const stage = await paymentStage(service);
  await activeEndpoint(service, stage.merchant, receiver);
  await receiver.close();
  await service.restart({ jobs: false });
  await pendingRequest(service, stage);
  const { request_id } = await pendingRequest(service, stage);
  await succeed(report(service, stage, request_id, { status: 'rejected' }));
  await enrolDevice(service);
  await succeed(
    service.call('POST', '/v1/merchant-accounts/registrations', { body: { email: uniqueEmail() } }),
  );
  return service;
}
