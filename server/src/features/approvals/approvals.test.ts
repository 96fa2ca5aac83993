import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { registeredPasskey, signInWithPasskey } from '../../../test/harness/authenticator.ts';
import {
  outcome,
  signIn,
  succeed,
  type TestMerchant,
  type TestSession,
  uniqueEmail,
  verifiedMerchant,
} from '../../../test/harness/merchants.ts';
import {
  enterWithLink,
  joinedOperator,
  nextLink,
  operatorIdOf,
  type TestOperator,
} from '../../../test/harness/operators.ts';
import { activationOf, activePayee, verifiedVersion } from '../../../test/harness/payees.ts';
import { paymentStage, pendingRequest } from '../../../test/harness/payments.ts';
import { startService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const HOUR = 3_600_000;
const OPERATORS = '/v1/merchant-operators';

interface Two {
  first: TestMerchant;
  firstId: string;
  second: TestOperator;
}

/** An organization that requires two owners, with exactly two. */
async function twoOwners(): Promise<Two> {
  const first = await verifiedMerchant(service);
  const second = await joinedOperator(service, first, 'owner');
  await succeed(setFourEyes(first.session, true));
  return { first, firstId: await operatorIdOf(service, first.session), second };
}

async function setFourEyes(session: TestSession, four_eyes: boolean) {
  const { merchant } = (await succeed(service.call('GET', '/v1/merchants/current', { session }))).body;
  const body = { four_eyes, version: merchant.version };
  return service.call('PATCH', '/v1/merchants/current', { session, body });
}

const decide = (session: TestSession, id: string, decision: 'approve' | 'reject') =>
  service.call('POST', `/v1/approvals/${id}/${decision}`, { session });

async function statusOf(session: TestSession, recipientId: string): Promise<string> {
  const read = await succeed(service.call('GET', `/v1/recipients/${recipientId}`, { session }));
  return read.body.recipient.status;
}

async function mailWith(email: string, words: string): Promise<string> {
  for (;;) {
    const { subject, text } = await service.smtp.waitForMail(email);
    const whole = `${subject}\n${text}`.replaceAll(/\s+/g, ' ');
    if (whole.includes(words)) return whole;
  }
}

describe('four eyes', () => {
  it('needs two active owners', async () => {
    const alone = await verifiedMerchant(service);
    await succeed(
      service.call('POST', OPERATORS, {
        session: alone.session,
        body: { email: uniqueEmail(), role: 'owner' },
      }),
    );
    expect(outcome(await setFourEyes(alone.session, true))).toBe('409 last_owner');
    const { first, second } = await twoOwners();
    await mailWith(second.email, 'requires two owners for important changes');
    // With one owner left, nothing could ever be changed again.
    const path = `${OPERATORS}/${second.operatorId}`;
    expect(outcome(await service.call('DELETE', path, { session: first.session }))).toBe('409 last_owner');
  });

  it('an activation waits for the other owner, and both are on record', async () => {
    const { first, firstId, second } = await twoOwners();
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
    expect(await statusOf(first.session, version.recipientId)).toBe('draft');
    expect(await mailWith(second.email, 'waits for a second owner')).toContain(first.email);
    expect(outcome(await decide(first.session, id, 'approve'))).toBe('403 second_person_required');
    expect(outcome(await decide(first.session, id, 'reject'))).toBe('403 second_person_required');

    const approved = await decide(second.session, id, 'approve');
    expect(approved.body.approval).toMatchObject({
      status: 'approved',
      decided_by: second.operatorId,
      decided_by_email: second.email,
    });
    expect(await statusOf(first.session, version.recipientId)).toBe('active');
    expect(outcome(await decide(second.session, id, 'approve'))).toBe('409 invalid_status_transition');
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
    await mailWith(first.email, 'A change of Example Shop was approved');
    const listed = await succeed(
      service.call('GET', '/v1/approvals', { session: second.session, query: { status: 'approved' } }),
    );
    expect(listed.body).toMatchObject({ approvals: [{ approval_id: id }], next_cursor: null });
  });

  it('every change that it covers answers 202 and changes nothing until it is approved', async () => {
    const { first, second } = await twoOwners();
    const { session } = first;
    const { operatorId: third } = await invitedThird(first, second);
    const payee = verifiedVersion(service, first);
    const { recipientId } = await payee;
    const email = uniqueEmail();
    const state = async () =>
      JSON.stringify([
        (await service.call('GET', OPERATORS, { session })).body.operators,
        await statusOf(session, recipientId),
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
      await succeed(decide(second.session, asked.body.approval.approval_id, 'approve'));
      expect(await state()).not.toBe(before);
    }
    const alone = await service.call('POST', OPERATORS, {
      session,
      body: { email: uniqueEmail(), role: 'viewer' },
    });
    expect(alone.status).toBe(201);
  });

  it('what could not be done is refused at once, and all checks are made again by the approval', async () => {
    const { first, second } = await twoOwners();
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
    expect(outcome(await decide(second.session, asked.approval_id, 'approve'))).toBe('409 version_conflict');
    expect(await statusOf(first.session, version.recipientId)).toBe('draft');
    const rejected = await decide(second.session, asked.approval_id, 'reject');
    expect(rejected.body.approval.status).toBe('rejected');
    await mailWith(first.email, 'was rejected');
  });

  it('an approval is over after 24 hours, to the millisecond', async () => {
    const { first, second } = await twoOwners();
    const body = { email: uniqueEmail(), role: 'viewer' };
    service.clock.freeze();
    onTestFinished(() => service.clock.release());
    const ask = async () =>
      (await succeed(service.call('POST', OPERATORS, { session: await signIn(service, first.email), body })))
        .body.approval.approval_id;
    const [inTime, late] = [await ask(), await ask()];
    service.clock.advance(24 * HOUR);
    const session = await signIn(service, second.email);
    expect(outcome(await decide(session, inTime, 'approve'))).toBe('200 ok');
    service.clock.advance(1);
    const refused = await decide(session, late, 'approve');
    expect([outcome(refused), refused.body.error.details.from]).toEqual([
      '409 invalid_status_transition',
      'expired',
    ]);
    const listed = await service.call('GET', '/v1/approvals', { session, query: { status: 'expired' } });
    expect(listed.body.approvals.map((one: { approval_id: string }) => one.approval_id)).toEqual([late]);
  });

  it('nobody else can decide: not a developer, not another organization', async () => {
    const { first, second } = await twoOwners();
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
    await succeed(decide(second.session, id, 'approve'));
  });

  it('what an owner asked for who is none any more is not carried out', async () => {
    const { first, second } = await twoOwners();
    const third = await invitedThird(first, second, 'owner');
    const ask = (session: TestSession, body: object) =>
      succeed(service.call('POST', OPERATORS, { session, body }));
    const asked = (await ask(first.session, { email: uniqueEmail(), role: 'owner' })).body.approval;
    const lower = await succeed(
      service.call('PATCH', `${OPERATORS}/${asked.requested_by}`, {
        session: second.session,
        body: { role: 'viewer' },
      }),
    );
    await succeed(decide(third.session, lower.body.approval.approval_id, 'approve'));
    const refused = await decide(second.session, asked.approval_id, 'approve');
    expect(outcome(refused)).toBe('409 invalid_status_transition');
  });
});

describe('two stolen things', () => {
  it('one owner’s session and passkey are not enough; the second owner’s are needed too', async () => {
    const { first, second } = await twoOwners();
    const version = await verifiedVersion(service, first);
    const [one, two] = [
      await registeredPasskey(service, first.session),
      await registeredPasskey(service, second.session),
    ];
    // Everything of the first owner: mailbox, session and passkey.
    const thief = await signInWithPasskey(service, one);
    const asked = (await succeed(activationOf(service, thief, version))).body.approval;
    expect(outcome(await decide(thief, asked.approval_id, 'approve'))).toBe('403 second_person_required');
    const invite = { email: uniqueEmail(), role: 'owner' };
    const accomplice = await service.call('POST', OPERATORS, { session: thief, body: invite });
    expect(accomplice.status).toBe(202);
    expect((await setFourEyes(thief, false)).status).toBe(202);
    // And the second owner's mailbox or session alone.
    const mailbox = await signIn(service, second.email);
    for (const session of [mailbox, second.session])
      expect(outcome(await decide(session, asked.approval_id, 'approve'))).toBe('403 step_up_required');
    expect(await statusOf(first.session, version.recipientId)).toBe('draft');
    const other = await signInWithPasskey(service, two);
    expect(outcome(await decide(other, asked.approval_id, 'approve'))).toBe('200 ok');
    expect(await statusOf(first.session, version.recipientId)).toBe('active');
  });
});

describe('at the same moment', () => {
  it('two approvals, or an approval and a rejection: one of them counts', async () => {
    for (const decisions of [
      ['approve', 'approve'],
      ['approve', 'reject'],
    ] as const) {
      const { first, second } = await twoOwners();
      const { session: third } = await invitedThird(first, second, 'owner');
      const version = await verifiedVersion(service, first);
      const { approval_id: id } = (await succeed(activationOf(service, first.session, version))).body
        .approval;
      const received = await Promise.all([
        decide(second.session, id, decisions[0]),
        decide(third, id, decisions[1]),
      ]);
      expect(received.filter(({ status }) => status === 200)).toHaveLength(1);
      const counted = received.findIndex(({ status }) => status === 200);
      const expected = decisions[counted] === 'approve' ? 'active' : 'draft';
      expect(await statusOf(first.session, version.recipientId)).toBe(expected);
    }
  });

  it('an approval while its time runs out: carried out whole, or not at all', async () => {
    service.clock.freeze();
    onTestFinished(() => service.clock.release());
    const outcomes = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const { first, second } = await twoOwners();
      const email = uniqueEmail();
      const body = { email, role: 'viewer' };
      const asked = await succeed(service.call('POST', OPERATORS, { session: first.session, body }));
      const { approval_id: id, expires_at } = asked.body.approval;
      service.clock.advance(24 * HOUR - 60_000);
      const session = await signIn(service, second.email);
      service.clock.set(new Date(expires_at));
      const deciding = decide(session, id, 'approve');
      await new Promise((resolve) => setTimeout(resolve, round * 3));
      service.clock.advance(1);
      const received = await deciding;
      const { operators } = (await succeed(service.call('GET', OPERATORS, { session }))).body;
      const isThere = operators.some((one: { email: string }) => one.email === email);
      const { approvals } = (await succeed(service.call('GET', '/v1/approvals', { session }))).body;
      outcomes.add(`${outcome(received)} ${isThere} ${approvals[0].status}`);
    }
    const whole = ['200 ok true approved', '409 invalid_status_transition false expired'];
    expect([...outcomes].filter((one) => !whole.includes(one))).toEqual([]);
  });

  it('two owners are required while one activates alone: it is done before, or not at all', async () => {
    const first = await verifiedMerchant(service);
    await joinedOperator(service, first, 'owner');
    const version = await verifiedVersion(service, first);
    let activated: ReturnType<typeof activationOf> | undefined;
    await service.db.begin(async (tx) => {
      await tx`select from recipients where recipient_id = ${version.recipientId} for update`;
      activated = activationOf(service, first.session, version);
      for (let turn = 0; turn < 200; turn += 1) {
        const waiting = await service.db`select from pg_stat_activity where wait_event_type = 'Lock'`;
        if (waiting.length > 0) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await tx`update merchants set four_eyes = true where merchant_id = ${first.merchantId}`;
    });
    expect(activated && outcome(await activated)).toBe('403 second_person_required');
    expect(await statusOf(first.session, version.recipientId)).toBe('draft');
  });
});

it('an active payee can be archived by two owners, with what waits for it', async () => {
  const { first, second } = await twoOwners();
  // Made before two owners were required.
  const other = await verifiedMerchant(service);
  const payee = await activePayee(service, other);
  const colleague = await joinedOperator(service, other, 'owner');
  await succeed(setFourEyes(other.session, true));
  const body = { status: 'archived', pending: 'reject', version: payee.version };
  const path = `/v1/recipients/${payee.recipientId}`;
  const asked = await succeed(service.call('PATCH', path, { session: other.session, body }));
  expect(outcome(await decide(second.session, asked.body.approval.approval_id, 'approve'))).toBe(
    '404 resource_not_found',
  );
  await succeed(decide(colleague.session, asked.body.approval.approval_id, 'approve'));
  expect(await statusOf(other.session, payee.recipientId)).toBe('archived');
  expect(outcome(await service.call('PATCH', path, { session: first.session, body }))).toBe(
    '404 resource_not_found',
  );
});

it('the evidence of a payment says that two owners decided about its payee, and not who they are', async () => {
  const merchant = await verifiedMerchant(service);
  const colleague = await joinedOperator(service, merchant, 'owner');
  const stage = await paymentStage(service, { merchant });
  await succeed(setFourEyes(merchant.session, true));
  const version = await verifiedVersion(service, merchant);
  const asked = await succeed(activationOf(service, merchant.session, version));
  const { approval_id: id } = asked.body.approval;
  await succeed(decide(colleague.session, id, 'approve'));
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

/** Asked for by the first owner, approved by the second, signed in. */
async function invitedThird(
  first: TestMerchant,
  second: TestOperator,
  role = 'viewer',
): Promise<TestOperator> {
  const email = uniqueEmail();
  const asked = await succeed(
    service.call('POST', OPERATORS, { session: first.session, body: { email, role } }),
  );
  await succeed(decide(second.session, asked.body.approval.approval_id, 'approve'));
  const session = await enterWithLink(service, await nextLink(service, email));
  return { email, session, operatorId: await operatorIdOf(service, session) };
}
