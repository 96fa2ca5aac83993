import { databaseBefore } from '@payassent/proof/database/older-database';
import { usableAgent } from '@payassent/proof/people/agents';
import {
  mailedToken,
  outcome,
  signUp,
  succeed,
  type TestMerchant,
  uniqueEmail,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import {
  enterWithLink,
  joinedOperator,
  mailWith,
  nextLink,
  operatorIdOf,
} from '@payassent/proof/people/operators';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let owner: TestMerchant;
beforeAll(async () => {
  service = await startService();
  owner = await verifiedMerchant(service, { name: 'Several Hands' });
});
afterAll(() => service.close());

const OPERATORS = '/v1/merchant-operators';

describe('an invitation', () => {
  it('is an ordinary sign-in link, and the first sign-in makes the team member active', async () => {
    const email = uniqueEmail();
    const body = { email: email.toUpperCase(), role: 'developer' };
    const invited = await service.call('POST', OPERATORS, { session: owner.session, body });
    expect(invited.status).toBe(201);
    expect(invited.body.operator).toEqual({
      operator_id: expect.stringMatching(/^acc_/),
      email,
      role: 'developer',
      status: 'invited',
      created_at: expect.any(String),
    });
    const told = await mailWith(service, owner.email, 'A team member was invited to your organization');
    expect(told).toContain(email);
    const session = await enterWithLink(service, await nextLink(service, email));
    const listed = await succeed(service.call('GET', OPERATORS, { session }));
    const mine = listed.body.operators.find((one: { email: string }) => one.email === email);
    expect(mine).toMatchObject({ role: 'developer', status: 'active' });
    expect(await mailWith(service, owner.email, 'A new team member of your organization')).toContain(email);
    const current = await succeed(service.call('GET', '/v1/merchant-sessions/current', { session }));
    expect({ ...current.body.operator, pending_passkeys: [] }).toEqual(mine);
  });

  it('again: 200 and another link; with another role it is refused', async () => {
    const email = uniqueEmail();
    const invite = (role: string) =>
      service.call('POST', OPERATORS, { session: owner.session, body: { email, role } });
    const first = await succeed(invite('viewer'));
    await nextLink(service, email);
    const again = await invite('viewer');
    expect([again.status, again.body]).toEqual([200, first.body]);
    await nextLink(service, email);
    expect(outcome(await invite('owner'))).toBe('409 invalid_status_transition');
  });

  it('is rejected with every error of its body together', async () => {
    const received = await service.call('POST', OPERATORS, {
      session: owner.session,
      body: { email: 'nobody', role: 'king', extra: 1 },
    });
    const issues = received.body.error.issues.map(
      (one: { field: string; code: string }) => `${one.field} ${one.code}`,
    );
    expect(issues.sort()).toEqual(['email invalid_format', 'extra unknown_field', 'role invalid_enum']);
  });

  it('lets no one in after it was withdrawn', async () => {
    const email = uniqueEmail();
    const body = { email, role: 'owner' };
    const invited = await succeed(service.call('POST', OPERATORS, { session: owner.session, body }));
    const token = await nextLink(service, email);
    const path = '/v1/merchant-accounts/email-verifications';
    const { session_grant, merchants } = (await succeed(service.call('POST', path, { body: { token } })))
      .body;
    const id = invited.body.operator.operator_id;
    await succeed(service.call('DELETE', `${OPERATORS}/${id}`, { session: owner.session }));
    const grant = { session_grant, choice_id: merchants[0].choice_id };
    expect(outcome(await service.call('POST', '/v1/merchant-sessions', { body: grant }))).toBe(
      '401 grant_invalid',
    );
  });

  it('shows an invited person nothing about the payees of the organization', async () => {
    const email = uniqueEmail();
    await succeed(
      service.call('POST', OPERATORS, { session: owner.session, body: { email, role: 'owner' } }),
    );
    const told = await service.db`
      select a.email from merchant_operators o join accounts a using (account_id)
      where o.merchant_id = ${owner.merchantId} and o.joined_at is null and a.email = ${email}`;
    expect(told.length).toBe(1);
    const agent = await usableAgent(service, owner);
    const body = { name: 'Till key', agent_id: agent.agentId };
    await succeed(service.call('POST', '/v1/api-keys', { session: owner.session, body }));
    await mailWith(service, owner.email, 'A new API key');
    const waiting =
      await service.db`select from mail_jobs where email = ${email} and kind = 'api_key_created'`;
    expect(waiting.length).toBe(0);
  });
});

describe('removing a team member', () => {
  it('ends sessions and admin sessions immediately, and lists the API keys for a decision', async () => {
    const leaving = await joinedOperator(service, owner, 'developer');
    const { session } = leaving;
    const bearer = (await succeed(service.call('POST', '/v1/admin-sessions', { session }))).body
      .session_token;
    const agent = await usableAgent(service, owner);
    const made = await succeed(
      service.call('POST', '/v1/api-keys', {
        bearer,
        body: { name: 'Left behind', agent_id: agent.agentId },
      }),
    );
    const removed = await service.call('DELETE', `${OPERATORS}/${leaving.operatorId}`, {
      session: owner.session,
    });
    expect(removed.status).toBe(200);
    expect(removed.body.operator).toMatchObject({ operator_id: leaving.operatorId, email: leaving.email });
    expect(removed.body.api_keys).toEqual([
      expect.objectContaining({
        api_key_id: made.body.api_key_id,
        status: 'active',
        created_by: leaving.operatorId,
      }),
    ]);
    expect(outcome(await service.call('GET', '/v1/merchants/current', { session }))).toBe(
      '401 token_revoked',
    );
    expect(outcome(await service.call('GET', '/v1/api-keys', { bearer }))).toBe('401 token_revoked');
    expect(await mailWith(service, owner.email, 'was removed')).toContain('"Left behind"');
    expect(await mailWith(service, leaving.email, 'was removed')).toContain(owner.email);
    const { merchants } = (
      await succeed(
        service.call('POST', '/v1/merchant-accounts/email-verifications', {
          body: { token: await mailedToken(service, leaving.email) },
        }),
      )
    ).body;
    expect(merchants).toEqual([]);
    const audit = await succeed(
      service.call('GET', '/v1/audit-events', {
        session: owner.session,
        query: { type: 'operator.removed' },
      }),
    );
    expect(audit.body.audit_events[0]).toMatchObject({
      actor: { kind: 'operator', id: await operatorIdOf(service, owner.session) },
      target: { type: 'operator', id: leaving.operatorId },
      details: { sessions: 1, admin_sessions: 1, api_keys: 1 },
    });
  });
});

describe('the owners of an organization', () => {
  it('the last one can neither leave nor be lowered; an invited one does not count', async () => {
    const shop = await verifiedMerchant(service);
    const { session } = shop;
    const body = { email: uniqueEmail(), role: 'owner' };
    await succeed(service.call('POST', OPERATORS, { session, body }));
    const id = await operatorIdOf(service, session);
    const lower = await service.call('PATCH', `${OPERATORS}/${id}`, { session, body: { role: 'viewer' } });
    expect(outcome(lower)).toBe('409 last_owner');
    expect(outcome(await service.call('DELETE', `${OPERATORS}/${id}`, { session }))).toBe('409 last_owner');
    const second = await joinedOperator(service, { ...shop }, 'owner');
    expect(outcome(await service.call('DELETE', `${OPERATORS}/${id}`, { session }))).toBe('200 ok');
    expect(outcome(await service.call('GET', OPERATORS, { session }))).toBe('401 token_revoked');
    expect(outcome(await service.call('GET', OPERATORS, { session: second.session }))).toBe('200 ok');
  });

  it('a change of role counts from the next call, and the person is notified', async () => {
    const operator = await joinedOperator(service, owner, 'owner');
    const { session } = operator;
    const path = `${OPERATORS}/${operator.operatorId}`;
    const body = { role: 'viewer' };
    const changed = await succeed(service.call('PATCH', path, { session: owner.session, body }));
    expect(changed.body.operator).toMatchObject({ role: 'viewer', status: 'active' });
    const refused = await service.call('POST', '/v1/merchant-domains', {
      session,
      body: { domain: 'a.example' },
    });
    expect(outcome(refused)).toBe('403 insufficient_role');
    const mail = await mailWith(service, operator.email, 'A role in your organization was changed');
    expect(mail).toContain('Previous role: owner');
  });

  it('a team member of another organization is as absent as one that never was', async () => {
    const foreign = await signUp(service);
    const id = await operatorIdOf(service, foreign.session);
    const sent = { session: owner.session, headers: { 'x-request-id': 'same' } };
    const texts = await Promise.all(
      [id, 'acc_01ARYZ6S410000000000000000', 'no'].map(async (one) => {
        const deleted = await service.call('DELETE', `${OPERATORS}/${one}`, sent);
        const changed = await service.call('PATCH', `${OPERATORS}/${one}`, {
          ...sent,
          body: { role: 'viewer' },
        });
        return [deleted.status, deleted.text, changed.text].join('\n');
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('resource_not_found');
  });
});

describe('a database from before', () => {
  it('its only team member is an active owner, and everything works as it did', async () => {
    const older = await databaseBefore('operators');
    await older.db`insert into accounts values ('acc_A', 'a@shop.example', now())`;
    await older.db`insert into merchants values ('mer_A', 'Shop', 'active', 1, now(), now())`;
    await older.db`insert into merchant_operators values ('mer_A', 'acc_A', '2026-01-02T03:04:05Z')`;
    await older.db`
      insert into merchant_sessions
      values ('ses_A', 'hash', 'acc_A', 'mer_A', 'k1', now(), now(), now() + interval '1 hour', null)`;
    await older.db`
      insert into session_grants (token_hash, account_id, created_at, expires_at) values ('grant', 'acc_A', now(), now())`;
    await older.upgrade();
    const rows = await older.db`select role, joined_at = created_at as joined from merchant_operators`;
    expect([...rows]).toEqual([{ role: 'owner', joined: true }]);
    // No new requirements: no passkey, no second owner, no session ended.
    const [session] = await older.db`
      select s.signed_in_by, s.stepped_up_at, s.recovers_at, s.ended_at, m.four_eyes, a.recovery_since,
             g.signed_in_by as granted_by
      from merchant_sessions s join merchants m using (merchant_id) join accounts a using (account_id)
        join session_grants g using (account_id)`;
    expect(session).toEqual({
      signed_in_by: 'mail',
      stepped_up_at: null,
      recovers_at: null,
      ended_at: null,
      four_eyes: false,
      recovery_since: null,
      granted_by: 'mail',
    });
  });
});
