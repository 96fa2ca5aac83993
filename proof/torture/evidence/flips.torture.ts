import { expect, it } from 'vitest';
import { readKeys } from '../../stage/log/public-log.ts';
import { newDecisionKey, putKey } from '../../stage/people/decision-keys.ts';
import { finishedPayment } from '../../stage/people/evidence.ts';
import { succeed } from '../../stage/people/merchants.ts';
import { paymentStage } from '../../stage/people/payments.ts';
import { unnoticedFlips } from '../../stage/rounds/flips.ts';
import { serviceForTest } from '../../stage/service/service.ts';

it('every byte of a bundle that is another is reported', async () => {
  const service = await serviceForTest();
  const stage = await paymentStage(service);
  const key = newDecisionKey();
  await succeed(putKey(service, stage.device, key));
  const { bundle } = await finishedPayment(service, stage, key, 'confirmed');
  expect(unnoticedFlips(bundle, await readKeys(service.url), 1)).toEqual([]);
});
