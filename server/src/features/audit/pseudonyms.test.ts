import { databaseBefore } from '@payassent/proof/database/older-database';
import { succeed } from '@payassent/proof/people/merchants';
import { paymentStage } from '@payassent/proof/people/payments';
import { claim, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { serviceForTest } from '@payassent/proof/service/service';
import { expect, it } from 'vitest';

it('two merchants cannot see from their audit trails that they have the same customer', async () => {
  const service = await serviceForTest();
  const device = await enrolDevice(service);
  const stages = [await paymentStage(service, { device }), await paymentStage(service, { device })];
  const trails: { text: string; wallets: Set<string> }[] = [];
  for (const { merchant, connectionId, agent } of stages) {
    const { invitationId } = await claim(service, agent, device);
    const sent = { device: deviceOf(device) };
    await succeed(service.call('POST', `/v1/connect-invitations/${invitationId}/reject`, sent));
    await succeed(service.call('POST', `/v1/connections/${connectionId}/rotate-token`, sent));
    await succeed(service.call('DELETE', `/v1/connections/${connectionId}`, sent));
    const { session } = merchant;
    const { text, body } = await succeed(service.call('GET', '/v1/audit-events', { session }));
    const acts = body.audit_events.filter(
      (event: { actor: { kind: string } }) => event.actor.kind === 'wallet',
    );
    expect(acts.length).toBeGreaterThanOrEqual(4);
    trails.push({ text, wallets: new Set(acts.map((event: { actor: { id: string } }) => event.actor.id)) });
  }
  for (const { text, wallets } of trails) {
    expect(wallets.size).toBe(1);
    expect(text).not.toContain(device.device_id);
    expect(text).not.toContain(device.walletId);
  }
  expect([...(trails[0]?.wallets ?? [])]).not.toEqual([...(trails[1]?.wallets ?? [])]);
});

it('a trail that was written with device ids no longer shows them', async () => {
  const { db, upgrade } = await databaseBefore('wallet_pseudonyms');
  await db`insert into wallets values ('wlt_1', now())`;
  await db`
    insert into devices (device_id, wallet_id, name, status, created_at)
    values ('dev_1', 'wlt_1', 'a', 'active', now()), ('dev_2', 'wlt_1', 'b', 'active', now())`;
  await db`
    insert into audit_events
    select 'aud_' || n, merchant, 'connection.revoked', kind, actor, 'connection', 'con_1', '{}', 'r', now()
    from (values (1, 'mer_1', 'wallet', 'dev_1'), (2, 'mer_1', 'wallet', 'dev_2'), (3, 'mer_2', 'wallet', 'dev_1'),
                 (4, null, 'wallet', 'dev_1'), (5, 'mer_1', 'operator', 'acc_1')) as v(n, merchant, kind, actor)`;
  await upgrade();
  const rows = await db<{ actor_id: string }[]>`select actor_id from audit_events order by audit_event_id`;
  const [first, second, elsewhere, own, operator] = rows.map((row) => row.actor_id);
  expect(first).toMatch(/^wallet_[0-9a-f]{26}$/);
  expect(second).toBe(first);
  expect(elsewhere).toMatch(/^wallet_[0-9a-f]{26}$/);
  expect(elsewhere).not.toBe(first);
  expect([own, operator]).toEqual(['dev_1', 'acc_1']);
  await expect(db`update audit_events set actor_id = 'x'`).rejects.toThrow('audit events cannot be changed');
});
