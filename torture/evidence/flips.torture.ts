import { expect, it } from 'vitest';
import { newDecisionKey, putKey } from '../../server/test/harness/decision-keys.ts';
import { finishedPayment } from '../../server/test/harness/evidence.ts';
import { readKeys } from '../../server/test/harness/log.ts';
import { succeed } from '../../server/test/harness/merchants.ts';
import { paymentStage } from '../../server/test/harness/payments.ts';
import { serviceForTest } from '../../server/test/harness/service.ts';
import { unnoticedFlips } from '../../server/test/rounds/flips.ts';

it('every byte of a bundle that is another is reported', async () => {
  const service = await serviceForTest();
  const stage = await paymentStage(service);
  const key = newDecisionKey();
  await succeed(putKey(service, stage.device, key));
  const { bundle } = await finishedPayment(service, stage, key, 'confirmed');
  expect(unnoticedFlips(bundle, await readKeys(service.url), 1)).toEqual([]);
});
