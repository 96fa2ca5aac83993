import {
  type Autonomy,
  activePolicy,
  anotherUser,
  autonomy,
  draftPolicy,
} from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { stellarAddress } from '@payassent/proof/people/payees';
import { deviceOf } from '@payassent/proof/people/wallets';
import { followPages, serviceAhead } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: Autonomy;
beforeAll(async () => {
  service = await startService();
  world = await autonomy(service);
});
afterAll(() => service.close());

function closingWindow() {
  const now = service.clock.now().getTime();
  return { from: new Date(now - 1000).toISOString(), until: new Date(now + 60_000).toISOString() };
}

function pause(user: Autonomy, policyId: string) {
  const path = `/v1/automation-policies/${policyId}/pause`;
  return succeed(service.call('POST', path, { device: deviceOf(user.device) }));
}

/** One policy of every kind whose window is about to close, and two whose window stays open. */
async function policiesOf(user: Autonomy) {
  const validity_window = closingWindow();
  const paused = await activePolicy(service, user, { validity_window });
  await pause(user, paused.id);
  const active = await activePolicy(service, user, { validity_window });
  const draft = await draftPolicy(service, user, { validity_window });
  const other = { asset: 'USDC', issuer: stellarAddress() };
  const open = await activePolicy(service, user, other);
  const openPaused = await activePolicy(service, user, { ...other, issuer: stellarAddress() });
  await pause(user, openPaused.id);
  return { over: [active.id, paused.id], draft: draft.id, open: open.id, openPaused: openPaused.id };
}

describe('a list by status', () => {
  it.each([1, 50])(
    'shows a policy as expired from the end of its window on, in pages of %i',
    async (limit) => {
      const user = await anotherUser(service, world);
      const { over, draft, open, openPaused } = await policiesOf(user);
      const { call } = await serviceAhead(service, 61_000);
      const list = async (status: string, device = deviceOf(user.device)) => {
        const shown = await followPages(call, '/v1/automation-policies', {
          device,
          query: { status, limit },
        });
        expect(shown.every((policy) => policy.status === status)).toBe(true);
        return shown.map((policy) => policy.id);
      };
      expect(await list('expired')).toEqual(over);
      expect(await list('active')).toEqual([open]);
      expect(await list('paused')).toEqual([openPaused]);
      expect(await list('draft')).toEqual([draft]);
    },
  );

  it.each(['active', 'paused'])(
    'never shows one past its window as %s, even in the first request',
    async (status) => {
      const owner = await autonomy(service);
      const users = [owner, await anotherUser(service, owner), await anotherUser(service, owner)];
      // Of several connections: closing the policies of one does nothing for the others.
      for (const user of users) {
        const { id } = await activePolicy(service, user, { validity_window: closingWindow() });
        if (status === 'paused') await pause(user, id);
      }
      const { call } = await serviceAhead(service, 61_000);
      const sent = { bearer: owner.admin, query: { status, limit: 1 } };
      const { data } = (await succeed(call('GET', '/v1/automation-policies', sent))).body;
      expect(data).toEqual({ items: [], next_cursor: null });
    },
  );
});
