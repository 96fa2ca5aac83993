import { newDecisionKey, putKey } from '@payassent/test-kit/decision-keys';
import { finishedPayment } from '@payassent/test-kit/evidence';
import { readKeys } from '@payassent/test-kit/log';
import { succeed } from '@payassent/test-kit/merchants';
import { paymentStage } from '@payassent/test-kit/payments';
import { unnoticedFlips } from '@payassent/test-kit/rounds/flips';
import { serviceForTest } from '@payassent/test-kit/service';
import { expect, it } from 'vitest';

it('every byte of a bundle that is another is reported', async () => {
  const service = await serviceForTest();
  const stage = await paymentStage(service);
  const key = newDecisionKey();
  await succeed(putKey(service, stage.device, key));
  const { bundle } = await finishedPayment(service, stage, key, 'confirmed');
  expect(unnoticedFlips(bundle, await readKeys(service.url), 1)).toEqual([]);
});
