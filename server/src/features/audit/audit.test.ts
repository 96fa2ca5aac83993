import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { serviceForTest } from '@payassent/proof/service/service';
import { expect, it } from 'vitest';

it('an audit event cannot be changed, deleted or swept away with its table', async () => {
  const service = await serviceForTest();
  const { merchantId } = await verifiedMerchant(service);
  const { db } = service;
  const read = () => db`select * from audit_events where merchant_id = ${merchantId} order by audit_event_id`;
  const before = await read();
  expect(before.length).toBeGreaterThan(0);
  const attempts = [
    db`update audit_events set actor_id = 'somebody else' where merchant_id = ${merchantId}`,
    db`delete from audit_events where merchant_id = ${merchantId}`,
    db`truncate audit_events`,
  ];
  for (const attempt of attempts) await expect(attempt).rejects.toThrow('audit events cannot be changed');
  expect(await read()).toEqual(before);
});
