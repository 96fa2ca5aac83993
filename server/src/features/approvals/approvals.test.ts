import { registeredPasskey, signInWithPasskey } from '@payassent/proof/people/authenticator';
import {
  outcome,
  signIn,
  succeed,
  type TestSession,
  uniqueEmail,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import {
  decideApproval,
  invitedThird,
  joinedOperator,
  mailWith,
  OPERATORS,
  recipientStatus,
  setFourEyes,
  twoOwners,
} from '@payassent/proof/people/operators';
import { activationOf, activePayee, verifiedVersion } from '@payassent/proof/people/payees';
import { paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const HOUR = 3_600_000;

describe('four eyes', () => {
  it('needs two active owners', async () => {
    const alone = await verifiedMerchant(service);
    await succeed(
      service.call('POST', OPERATORS, {
        session: alone.session,
        body: { email: uniqueEmail(), role: 'owner' },
      }),
    );
    expect(outcome(await setFourEyes(service, alone.session, true))).toBe('409 last_owner');
    const { first, second } = await twoOwners(service);
    await mailWith(service, second.email, 'requires two owners for important changes');
    // With one owner left, nothing could ever be changed again.
    const path = `${OPERATORS}/${second.operatorId}`;
    expect(outcome(await service.call('DELETE', path, { session: first.session }))).toBe('409 last_owner');
  });

  it('needs two people: another spelling of one address is the same person', async () => {
    const merchant = await verifiedMerchant(service);
    const alias = await joinedOperator(service, merchant, 'owner', merchant.email.replace('@', '+two@'));
    expect(outcome(await setFourEyes(service, merchant.session, true))).toBe('409 last_owner');
    const second = await joinedOperator(service, merchant, 'owner');
    await succeed(setFourEyes(service, merchant.session, true));
    const asked = await activationOf(service, merchant.session, await verifiedVersion(service, merchant));
    const id = asked.body.approval.approval_id;
    for (const decision of ['approve', 'reject'] as const)
      expect(outcome(await decideApproval(service, alias.session, id, decision))).toBe(
        '403 second_person_required',
      );
    // Without the other person, one person with two addresses would be left.
    const path = `${OPERATORS}/${second.operatorId}`;
    expect(outcome(await service.call('DELETE', path, { session: merchant.session }))).toBe('409 last_owner');
    expect(outcome(await decideApproval(service, second.session, id, 'approve'))).toBe('200 ok');
  });

  it('an activation waits for the other owner, and both are on record', async () => {
    const { first, firstId, second } = await twoOwners(service);
    const version = await verifiedVersion(service, first);
    const asked = await activationOf(service, first.session, version);
    expect(asked.status).toBe(202);
    expect(asked.body.approval).toEqual({
      approval_id: expect.stringMatching(/^apr_/),
      act: 'recipient.activate',
      target: { type: 'recipient', id: version.recipientId },
      details: expect.objectContaining({
        network: 'stellar_testnet',
        address: expect.stringMatching(/^G/),
        domain: first.domain,
      }),
      status: 'pending',
      requested_by: firstId,
      requested_by_email: first.email,
      decided_by: null,
      decided_by_email: null,
      decided_at: null,
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    const id = asked.body.approval.approval_id;
    const lifeMs = Date.parse(asked.body.approval.expires_at) - Date.parse(asked.body.approval.created_at);
    expect(lifeMs).toBe(24 * HOUR);
    expect(await recipientStatus(service, first.session, version.recipientId)).toBe('draft');
    expect(await mailWith(service, second.email, 'needs a second owner')).toContain(first.email);
    expect(outcome(await decideApproval(service, first.session, id, 'approve'))).toBe(
      '403 second_person_required',
    );
    expect(outcome(await decideApproval(service, first.session, id, 'reject'))).toBe(
      '403 second_person_required',
    );

    const approved = await decideApproval(service, second.session, id, 'approve');
    expect(approved.body.approval).toMatchObject({
      status: 'approved',
      decided_by: second.operatorId,
      decided_by_email: second.email,
    });
    expect(await recipientStatus(service, first.session, version.recipientId)).toBe('active');
    expect(outcome(await decideApproval(service, second.session, id, 'approve'))).toBe(
      '409 invalid_status_transition',
    );
    const audit = await succeed(
      service.call('GET', '/v1/audit-events', {
        session: first.session,
        query: { type: 'recipient.version_activated' },
      }),
    );
    expect(audit.body.audit_events[0]).toMatchObject({
      actor: { kind: 'operator', id: firstId },
      details: { approval_id: id, approved_by: second.operatorId },
    });
    await mailWith(service, first.email, 'A change of your organization was approved');
    const listed = await succeed(
      service.call('GET', '/v1/approvals', { session: second.session, query: { status: 'approved' } }),
    );
    expect(listed.body).toMatchObject({ approvals: [{ approval_id: id }], next_cursor: null });
  });

  it('every change that it covers returns 202 and changes nothing until it is approved', async () => {
    const { first, second } = await twoOwners(service);
    const { session } = first;
    const { operatorId: third } = await invitedThird(service, { first, second });
    const payee = verifiedVersion(service, first);
    const { recipientId } = await payee;
    const email = uniqueEmail();
    const state = async () =>
      JSON.stringify([
        (await service.call('GET', OPERATORS, { session })).body.operators,
        await recipientStatus(service, session, recipientId),
        (await service.call('GET', '/v1/merchants/current', { session })).body,
      ]);
    const version = (await service.call('GET', '/v1/merchants/current', { session })).body.merchant.version;
    const acts: [string, string, string, object | undefined][] = [
      ['operator.invite', 'POST', OPERATORS, { email, role: 'viewer' }],
      ['operator.change_role', 'PATCH', `${OPERATORS}/${third}`, { role: 'developer' }],
      [
        'recipient.archive',
        'PATCH',
        `/v1/recipients/${recipientId}`,
        { status: 'archived', name: 'Closed till', version: 1 },
      ],
      ['operator.remove', 'DELETE', `${OPERATORS}/${third}`, undefined],
      ['merchant.four_eyes_off', 'PATCH', '/v1/merchants/current', { four_eyes: false, version }],
    ];
    for (const [act, method, path, body] of acts) {
      const before = await state();
      const asked = await service.call(method, path, { session, ...(body ? { body } : {}) });
      expect([act, asked.status, asked.body.approval?.act]).toEqual([act, 202, act]);
      // Anyone who decides is shown all of it.
      if (act === 'recipient.archive')
        expect(asked.body.approval.details).toMatchObject({ name: 'Shop', new_name: 'Closed till' });
      expect(await state()).toBe(before);
      await succeed(decideApproval(service, second.session, asked.body.approval.approval_id, 'approve'));
      expect(await state()).not.toBe(before);
    }
    const alone = await service.call('POST', OPERATORS, {
      session,
      body: { email: uniqueEmail(), role: 'viewer' },
    });
    expect(alone.status).toBe(201);
  });

  it('what could not be done is rejected immediately, and the approval repeats all checks', async () => {
    const { first, second } = await twoOwners(service);
    const version = await verifiedVersion(service, first);
    const stale = { ...version, body: { ...version.body, version: 7 } };
    expect(outcome(await activationOf(service, first.session, stale))).toBe('409 version_conflict');
    const absent = { ...version, path: version.path.replace(/rcv_\w+/, 'rcv_unknown') };
    expect(outcome(await activationOf(service, first.session, absent))).toBe('404 resource_not_found');
    const asked = (await succeed(activationOf(service, first.session, version))).body.approval;
    const path = `/v1/recipients/${version.recipientId}`;
    await succeed(
      service.call('PATCH', path, { session: first.session, body: { name: 'Renamed', version: 1 } }),
    );
    expect(outcome(await decideApproval(service, second.session, asked.approval_id, 'approve'))).toBe(
      '409 version_conflict',
    );
    expect(await recipientStatus(service, first.session, version.recipientId)).toBe('draft');
    const rejected = await decideApproval(service, second.session, asked.approval_id, 'reject');
    expect(rejected.body.approval.status).toBe('rejected');
    await mailWith(service, first.email, 'was rejected');
  });

  it('an approval is over after 24 hours, to the millisecond', async () => {
    const { first, second } = await twoOwners(service);
    const body = { email: uniqueEmail(), role: 'viewer' };
    service.clock.freeze();
    onTestFinished(() => service.clock.release());
    const ask = async () =>
      (await succeed(service.call('POST', OPERATORS, { session: await signIn(service, first.email), body })))
        .body.approval.approval_id;
    const [inTime, late] = [await ask(), await ask()];
    service.clock.advance(24 * HOUR);
    const session = await signIn(service, second.email);
    expect(outcome(await decideApproval(service, session, inTime, 'approve'))).toBe('200 ok');
    service.clock.advance(1);
    const refused = await decideApproval(service, session, late, 'approve');
    expect([outcome(refused), refused.body.error.details.from]).toEqual([
      '409 invalid_status_transition',
      'expired',
    ]);
    const listed = await service.call('GET', '/v1/approvals', { session, query: { status: 'expired' } });
    expect(listed.body.approvals.map((one: { approval_id: string }) => one.approval_id)).toEqual([late]);
  });

  it('no one else can decide: not a developer, not another organization', async () => {
    const { first, second } = await twoOwners(service);
    const asked = await succeed(
      service.call('POST', OPERATORS, {
        session: first.session,
        body: { email: uniqueEmail(), role: 'developer' },
      }),
    );
    const id = asked.body.approval.approval_id;
    const foreign = await verifiedMerchant(service);
    const sent = { session: foreign.session, headers: { 'x-request-id': 'same' } };
    const [theirs, none] = await Promise.all(
      [id, 'apr_unknown'].map((one) => service.call('POST', `/v1/approvals/${one}/approve`, sent)),
    );
    expect(theirs?.text).toBe(none?.text);
    await succeed(decideApproval(service, second.session, id, 'approve'));
  });

  it('what an owner requested who is none any more is not carried out', async () => {
    const { first, second } = await twoOwners(service);
    const third = await invitedThird(service, { first, second }, 'owner');
    const ask = (session: TestSession, body: object) =>
      succeed(service.call('POST', OPERATORS, { session, body }));
    const asked = (await ask(first.session, { email: uniqueEmail(), role: 'owner' })).body.approval;
    const lower = await succeed(
      service.call('PATCH', `${OPERATORS}/${asked.requested_by}`, {
        session: second.session,
        body: { role: 'viewer' },
      }),
    );
    await succeed(decideApproval(service, third.session, lower.body.approval.approval_id, 'approve'));
    const refused = await decideApproval(service, second.session, asked.approval_id, 'approve');
    expect(outcome(refused)).toBe('409 invalid_status_transition');
  });
});

describe('two stolen things', () => {
  it('one owner’s session and passkey are not enough; the second owner’s are needed too', async () => {
    const { first, second } = await twoOwners(service);
    const version = await verifiedVersion(service, first);
    const [one, two] = [
      await registeredPasskey(service, first.session),
      await registeredPasskey(service, second.session),
    ];
    // Everything of the first owner: mailbox, session and passkey.
    const thief = await signInWithPasskey(service, one);
    const asked = (await succeed(activationOf(service, thief, version))).body.approval;
    expect(outcome(await decideApproval(service, thief, asked.approval_id, 'approve'))).toBe(
      '403 second_person_required',
    );
    const invite = { email: uniqueEmail(), role: 'owner' };
    const accomplice = await service.call('POST', OPERATORS, { session: thief, body: invite });
    expect(accomplice.status).toBe(202);
    expect((await setFourEyes(service, thief, false)).status).toBe(202);
    // And the second owner's mailbox or session alone.
    const mailbox = await signIn(service, second.email);
    for (const session of [mailbox, second.session])
      expect(outcome(await decideApproval(service, session, asked.approval_id, 'approve'))).toBe(
        '403 step_up_required',
      );
    expect(await recipientStatus(service, first.session, version.recipientId)).toBe('draft');
    const other = await signInWithPasskey(service, two);
    expect(outcome(await decideApproval(service, other, asked.approval_id, 'approve'))).toBe('200 ok');
    expect(await recipientStatus(service, first.session, version.recipientId)).toBe('active');
  });
});

it('an active payee can be archived by two owners, with what waits for it', async () => {
  const { first, second } = await twoOwners(service);
  // Made before two owners were required.
  const other = await verifiedMerchant(service);
  const payee = await activePayee(service, other);
  const colleague = await joinedOperator(service, other, 'owner');
  await succeed(setFourEyes(service, other.session, true));
  const body = { status: 'archived', pending: 'reject', version: payee.version };
  const path = `/v1/recipients/${payee.recipientId}`;
  const asked = await succeed(service.call('PATCH', path, { session: other.session, body }));
  expect(
    outcome(await decideApproval(service, second.session, asked.body.approval.approval_id, 'approve')),
  ).toBe('404 resource_not_found');
  await succeed(decideApproval(service, colleague.session, asked.body.approval.approval_id, 'approve'));
  expect(await recipientStatus(service, other.session, payee.recipientId)).toBe('archived');
  expect(outcome(await service.call('PATCH', path, { session: first.session, body }))).toBe(
    '404 resource_not_found',
  );
});

it('the evidence of a payment states that two owners decided about its payee, and not who they are', async () => {
  const merchant = await verifiedMerchant(service);
  const colleague = await joinedOperator(service, merchant, 'owner');
  const stage = await paymentStage(service, { merchant });
  await succeed(setFourEyes(service, merchant.session, true));
  const version = await verifiedVersion(service, merchant);
  const asked = await succeed(activationOf(service, merchant.session, version));
  const { approval_id: id } = asked.body.approval;
  await succeed(decideApproval(service, colleague.session, id, 'approve'));
  const paid = await pendingRequest(service, stage, {
    recipient_id: version.recipientId,
    recipient_version_id: /rcv_\w+/.exec(version.path)?.[0],
  });
  const read = (requestId: string) =>
    service.call('GET', `/v1/payment-requests/${requestId}/evidence`, { bearer: stage.connectionToken });
  const bundle = await succeed(read(paid.request_id));
  expect(bundle.body.payee.approval_id).toBe(id);
  expect(bundle.text).not.toContain(merchant.email);
  expect(bundle.text).not.toContain(colleague.operatorId);
  const { request_id: before } = await pendingRequest(service, stage);
  expect((await succeed(read(before))).body.payee).not.toHaveProperty('approval_id');
});
