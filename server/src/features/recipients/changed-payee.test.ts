import { registeredPasskey, signInWithPasskey, stepUp } from '@payassent/proof/people/authenticator';
import {
  outcome,
  proveDomain,
  signIn,
  succeed,
  type TestMerchant,
  type TestSession,
  uniqueDomain,
  uniqueEmail,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import {
  decideApproval,
  invitedThird,
  joinedOperator,
  setFourEyes,
  type TestOperator,
} from '@payassent/proof/people/operators';
import {
  type Activatable,
  activationOf,
  activePayee,
  createPayee,
  payeeFacts,
  type TestPayee,
  verifiedVersion,
  verifyPayee,
} from '@payassent/proof/people/payees';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { SVC_PAYEE_CHANGE: 'guarded' } });
});
afterAll(() => service.close());

const DAY = 24 * 3_600_000;
const WAYS = ['passkey', 'dns_binding', 'second_owner'];

/** The steps of an owner with this session to activate a version, with fresh evidence. */
async function evidenceFor(
  session: TestSession,
  domainId: string,
  { recipient, recipient_version }: Received['body'],
): Promise<Activatable> {
  const place = {
    recipientId: recipient.recipient_id,
    recipientVersionId: recipient_version.recipient_version_id,
    version: recipient.version,
  };
  const { evidence } = (await succeed(verifyPayee(service, { session, domainId }, place))).body;
  return {
    path: `/v1/recipients/${place.recipientId}/versions/${place.recipientVersionId}/activate`,
    body: {
      evidence_id: evidence.evidence_id,
      evidence_digest: evidence.evidence_digest,
      version: place.version,
    },
    recipientId: place.recipientId,
  };
}

/** A new version of a payee, with other details than the active one's unless they are given. */
async function changedVersion(
  { session, domainId }: Pick<TestMerchant, 'session' | 'domainId'>,
  payee: Pick<TestPayee, 'recipientId'>,
  facts: Record<string, unknown> = {},
): Promise<Activatable> {
  const { recipient } = (
    await succeed(service.call('GET', `/v1/recipients/${payee.recipientId}`, { session }))
  ).body;
  const added = await succeed(
    service.call('POST', `/v1/recipients/${payee.recipientId}/versions`, {
      session,
      body: { ...payeeFacts(), ...facts, version: recipient.version },
    }),
  );
  return evidenceFor(session, domainId, added.body);
}

const activeVersion = async (session: TestSession, { recipientId }: TestPayee): Promise<string> =>
  (await succeed(service.call('GET', `/v1/recipients/${recipientId}`, { session }))).body.recipient
    .active_version_id;

async function refusedWithWays(received: Received): Promise<void> {
  expect(outcome(received)).toBe('403 step_up_required');
  expect(received.body.error.details.ways).toEqual(WAYS);
}

/** An organization of two days, with a payee, and the owner signed in by mail. */
async function settledMerchant(): Promise<TestMerchant & { payee: TestPayee }> {
  const merchant = await verifiedMerchant(service);
  const payee = await activePayee(service, merchant);
  service.clock.advance(2 * DAY);
  return { ...merchant, payee, session: await signIn(service, merchant.email) };
}

describe('a mailbox alone cannot change where money goes', () => {
  it('by another address, asset, memo or memo policy of an active payee', async () => {
    const merchant = await settledMerchant();
    const { session, payee } = merchant;
    const same = { network: payee.network, asset: payee.asset, address: payee.address };
    const issuer = payeeFacts().address;
    for (const facts of [
      {},
      { ...same, memo: '77' },
      { ...same, memo_policy: 'request' },
      { ...same, asset: 'USDC', issuer },
    ])
      await refusedWithWays(
        await activationOf(service, session, await changedVersion(merchant, payee, facts)),
      );
    expect(await activeVersion(session, payee)).toBe(payee.recipientVersionId);
  });

  it('by another Recipient under the same name, however it is written, archived or not', async () => {
    const merchant = await settledMerchant();
    const { session, domainId, payee } = merchant;
    for (const name of ['Shop', 'SHOP', 'ｓｈｏｐ', ' shop ']) {
      const created = await createPayee(service, merchant, { name });
      await refusedWithWays(
        await activationOf(service, session, await evidenceFor(session, domainId, created.body)),
      );
    }
    const read = await succeed(service.call('GET', `/v1/recipients/${payee.recipientId}`, { session }));
    await succeed(
      service.call('PATCH', `/v1/recipients/${payee.recipientId}`, {
        session,
        body: { status: 'archived', version: read.body.recipient.version },
      }),
    );
    const created = await createPayee(service, merchant, { name: 'Shop' });
    await refusedWithWays(
      await activationOf(service, session, await evidenceFor(session, domainId, created.body)),
    );
  });

  it('by a Recipient that takes the name after its first activation', async () => {
    const merchant = await settledMerchant();
    const { session } = merchant;
    const other = await activePayee(service, merchant, { name: 'Something else' });
    await succeed(
      service.call('PATCH', `/v1/recipients/${other.recipientId}`, {
        session,
        body: { name: 'Shop', version: other.version },
      }),
    );
    const same = { network: other.network, asset: other.asset, address: other.address };
    await refusedWithWays(await activationOf(service, session, await changedVersion(merchant, other, same)));
  });

  it('with a passkey that has not been effective for a day', async () => {
    const merchant = await verifiedMerchant(service);
    const { session } = merchant;
    const payee = await activePayee(service, merchant);
    const passkey = await registeredPasskey(service, session);
    await stepUp(service, session, passkey);
    await refusedWithWays(await activationOf(service, session, await changedVersion(merchant, payee)));
    service.clock.advance(DAY);
    const later = { ...merchant, session: await signInWithPasskey(service, passkey) };
    const version = await changedVersion(later, payee);
    expect(outcome(await activationOf(service, later.session, version))).toBe('200 ok');
  });

  it('with its own domain, verified for this', async () => {
    const merchant = await settledMerchant();
    const { session, payee } = merchant;
    const domain = uniqueDomain();
    const { domainId } = await proveDomain(service, session, domain);
    const bound = await boundVersion({ ...merchant, domain, domainId }, payee);
    await refusedWithWays(await activationOf(service, session, bound));
  });

  it('with an owner whom it invited for this, or with its own address in another spelling', async () => {
    const merchant = await settledMerchant();
    const { session, payee } = merchant;
    const accomplice = await joinedOperator(service, merchant, 'owner');
    await refusedWithWays(await activationOf(service, session, await changedVersion(merchant, payee)));
    await joinedOperator(service, merchant, 'owner', merchant.email.replace('@', '+second@'));
    service.clock.advance(2 * DAY);
    const later = { ...merchant, session: await signIn(service, merchant.email) };
    await succeed(
      service.call('DELETE', `/v1/merchant-operators/${accomplice.operatorId}`, { session: later.session }),
    );
    await refusedWithWays(await activationOf(service, later.session, await changedVersion(later, payee)));
  });

  it('with an owner whom it invited to make the change, so that the owner of the mailbox approves', async () => {
    const merchant = await settledMerchant();
    const { session, payee } = merchant;
    const accomplice = await joinedOperator(service, merchant, 'owner');
    const version = await changedVersion(merchant, payee);
    await refusedWithWays(await activationOf(service, accomplice.session, version));
    expect(await activeVersion(session, payee)).toBe(payee.recipientVersionId);
  });

  it('with two owners required after the second one was invited, whichever of them makes the change', async () => {
    const merchant = await settledMerchant();
    const { session, payee } = merchant;
    const accomplice = await joinedOperator(service, merchant, 'owner');
    await succeed(setFourEyes(service, session, true));
    const version = await changedVersion(merchant, payee);
    await refusedWithWays(await activationOf(service, session, version));
    await refusedWithWays(await activationOf(service, accomplice.session, version));
    expect(await activeVersion(session, payee)).toBe(payee.recipientVersionId);
  });

  it('with a team member who joined days before, is made an owner and has an old enough passkey', async () => {
    const merchant = await verifiedMerchant(service);
    const payee = await activePayee(service, merchant);
    const planted = await joinedOperator(service, merchant, 'developer');
    const passkey = await registeredPasskey(service, planted.session);
    service.clock.advance(2 * DAY);
    const owner = { ...merchant, session: await signIn(service, merchant.email) };
    await succeed(changeRole(owner.session, planted, 'owner'));
    const version = await changedVersion(owner, payee);
    const accomplice = await signInWithPasskey(service, passkey);
    await refusedWithWays(await activationOf(service, accomplice, version));
    await refusedWithWays(await activationOf(service, owner.session, version));
  });
});

function changeRole(session: TestSession, { operatorId }: TestOperator, role: string): Promise<Received> {
  return service.call('PATCH', `/v1/merchant-operators/${operatorId}`, { session, body: { role } });
}

/** A new version whose record the domain publishes in DNS. */
async function boundVersion(merchant: TestMerchant, payee: TestPayee): Promise<Activatable> {
  const { session, domain, domainId } = merchant;
  const { recipient } = (
    await succeed(service.call('GET', `/v1/recipients/${payee.recipientId}`, { session }))
  ).body;
  const added = await succeed(
    service.call('POST', `/v1/recipients/${payee.recipientId}/versions`, {
      session,
      body: { ...payeeFacts(), version: recipient.version },
    }),
  );
  service.dns.set(`_svc-payee.${domain}`, 'TXT', [added.body.recipient_version.payee_record]);
  return evidenceFor(session, domainId, added.body);
}

describe('a changed payee is activated', () => {
  it('when the DNS of the domain names it', async () => {
    const merchant = await settledMerchant();
    const { session, payee } = merchant;
    const version = await boundVersion(merchant, payee);
    expect(outcome(await activationOf(service, session, version))).toBe('200 ok');
  });

  it('after another owner approved it, although the organization does not require two', async () => {
    const merchant = await verifiedMerchant(service);
    const { session } = merchant;
    const payee = await activePayee(service, merchant);
    const second: TestOperator = await joinedOperator(service, merchant, 'owner');
    const version = await changedVersion(merchant, payee);
    const asked = await activationOf(service, session, version);
    expect(asked.status).toBe(202);
    expect(asked.body.approval).toMatchObject({ act: 'recipient.activate', status: 'pending' });
    expect(await activeVersion(session, payee)).toBe(payee.recipientVersionId);
    const id = asked.body.approval.approval_id;
    expect(outcome(await decideApproval(service, session, id, 'approve'))).toBe('403 second_person_required');
    expect(outcome(await decideApproval(service, second.session, id, 'approve'))).toBe('200 ok');
    expect(version.path).toContain(await activeVersion(session, payee));
  });

  it('not when the approver became an owner only after it was requested', async () => {
    const merchant = await verifiedMerchant(service);
    const payee = await activePayee(service, merchant);
    await joinedOperator(service, merchant, 'owner');
    service.clock.advance(2 * DAY);
    const later = { ...merchant, session: await signIn(service, merchant.email) };
    const asked = await activationOf(service, later.session, await changedVersion(later, payee));
    expect(asked.status).toBe(202);
    const accomplice = await joinedOperator(service, later, 'owner', uniqueEmail());
    const id = asked.body.approval.approval_id;
    expect(outcome(await decideApproval(service, accomplice.session, id, 'approve'))).toBe(
      '403 second_person_required',
    );
    expect(await activeVersion(later.session, payee)).toBe(payee.recipientVersionId);
  });

  it('not when the asker lost the role in between, although it is theirs again', async () => {
    const merchant = await verifiedMerchant(service);
    const payee = await activePayee(service, merchant);
    const second = await joinedOperator(service, merchant, 'owner');
    service.clock.advance(2 * DAY);
    const first = { ...merchant, session: await signIn(service, merchant.email) };
    const later = await signIn(service, second.email);
    const asked = await activationOf(service, later, await changedVersion(first, payee));
    expect(asked.status).toBe(202);
    for (const role of ['developer', 'owner']) await succeed(changeRole(first.session, second, role));
    const id = asked.body.approval.approval_id;
    expect(outcome(await decideApproval(service, first.session, id, 'approve'))).toBe(
      '403 second_person_required',
    );
    expect(await activeVersion(first.session, payee)).toBe(payee.recipientVersionId);
  });

  it('where two owners are required, by two who have been owners for a day', async () => {
    const first = await verifiedMerchant(service);
    const payee = await activePayee(service, first);
    const second = await joinedOperator(service, first, 'owner');
    await succeed(setFourEyes(service, first.session, true));
    service.clock.advance(2 * DAY);
    const later = { ...first, session: await signIn(service, first.email) };
    const session = await signIn(service, second.email);
    const asked = await activationOf(service, later.session, await changedVersion(later, payee));
    expect(asked.status).toBe(202);
    const third = await invitedThird(service, { first: later, second: { ...second, session } }, 'owner');
    const id = asked.body.approval.approval_id;
    expect(outcome(await decideApproval(service, third.session, id, 'approve'))).toBe(
      '403 second_person_required',
    );
    expect(outcome(await decideApproval(service, session, id, 'approve'))).toBe('200 ok');
  });

  it('where two owners are required, as before', async () => {
    const merchant = await verifiedMerchant(service);
    const { session } = merchant;
    const payee = await activePayee(service, merchant);
    const second = await joinedOperator(service, merchant, 'owner');
    await succeed(setFourEyes(service, session, true));
    const asked = await activationOf(service, session, await changedVersion(merchant, payee));
    expect(asked.status).toBe(202);
    const id = asked.body.approval.approval_id;
    expect(outcome(await decideApproval(service, second.session, id, 'approve'))).toBe('200 ok');
  });
});

describe('what changes nothing needs nothing', () => {
  it('a first payee, one of another name, and the same details again', async () => {
    const merchant = await verifiedMerchant(service);
    const { session } = merchant;
    expect(outcome(await activationOf(service, session, await verifiedVersion(service, merchant)))).toBe(
      '200 ok',
    );
    const other = await activePayee(service, merchant, { name: 'Another shop' });
    const same = { network: other.network, asset: other.asset, address: other.address };
    const version = await changedVersion(merchant, other, same);
    expect(outcome(await activationOf(service, session, version))).toBe('200 ok');
  });
});
