import {
  outcome,
  signIn,
  succeed,
  type TestMerchant,
  type TestSession,
  verifiedMerchant,
  verifyEmail,
} from '@payassent/proof/people/merchants';
import { joinedOperator } from '@payassent/proof/people/operators';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let owner: TestMerchant;
beforeAll(async () => {
  service = await startService();
  owner = await verifiedMerchant(service);
});
afterAll(() => service.close());

const SESSIONS = '/v1/merchant-sessions';

async function open(session: TestSession) {
  return (await succeed(service.call('GET', SESSIONS, { session }))).body.sessions;
}

describe('open sessions', () => {
  it('are listed with their place and browser; the session of the caller is marked', async () => {
    const { session_grant, merchants } = await verifyEmail(service, owner.email);
    const opened = await succeed(
      service.call('POST', SESSIONS, {
        body: { session_grant, choice_id: merchants[0]?.choice_id },
        headers: { 'user-agent': 'Mozilla/5.0 (Test; \u00e9)' },
      }),
    );
    expect(opened.body.session).toMatchObject({ current: true, signed_in_by: 'mail' });
    const [newest, ...older] = await open(owner.session);
    expect(newest).toEqual({
      ...opened.body.session,
      current: false,
      network_address: '127.0.0.1',
      user_agent: expect.stringContaining('Mozilla/5.0 (Test;'),
    });
    expect(older.map((one: { current: boolean }) => one.current)).toEqual([true]);
  });

  it('can be ended one by one, with the admin sessions that were made there', async () => {
    const elsewhere = await signIn(service, owner.email);
    const bearer = (await succeed(service.call('POST', '/v1/admin-sessions', { session: elsewhere }))).body
      .session_token;
    const [{ session_id: id }] = await open(owner.session);
    const ended = await service.call('DELETE', `${SESSIONS}/${id}`, { session: owner.session });
    expect([ended.status, ended.body.session.session_id]).toEqual([200, id]);
    expect(ended.headers.getSetCookie()).toEqual([]);
    expect(outcome(await service.call('GET', SESSIONS, { session: elsewhere }))).toBe('401 token_revoked');
    expect(outcome(await service.call('GET', '/v1/api-keys', { bearer }))).toBe('401 token_revoked');
    expect((await open(owner.session)).map((one: { session_id: string }) => one.session_id)).not.toContain(
      id,
    );
    const audit = await succeed(
      service.call('GET', '/v1/audit-events', { session: owner.session, query: { target_id: id } }),
    );
    expect(audit.body.audit_events[0].type).toBe('merchant_session.ended');
  });

  it('of a colleague are as absent as those that never were', async () => {
    const colleague = await joinedOperator(service, owner, 'owner');
    const [{ session_id: theirs }] = await open(colleague.session);
    const sent = { session: owner.session, headers: { 'x-request-id': 'same' } };
    const texts = await Promise.all(
      [theirs, 'ses_unknown'].map(
        async (id) => (await service.call('DELETE', `${SESSIONS}/${id}`, sent)).text,
      ),
    );
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain('resource_not_found');
    expect(outcome(await service.call('GET', SESSIONS, { session: colleague.session }))).toBe('200 ok');
  });

  it('that are over are not listed', async () => {
    const merchant = await verifiedMerchant(service);
    service.clock.advance(31 * 60_000);
    const session = await signIn(service, merchant.email);
    expect(await open(session)).toHaveLength(1);
  });
});
