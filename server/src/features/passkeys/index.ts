// Passkeys of team members: signing in, and proving presence again for sensitive acts. The host's commands import
// `passkeys`; the rest is private. A challenge is spent by its first use, and a first passkey counts after a day.

import * as api from '@payassent/protocol/api';
import { PasskeySchema } from '@payassent/protocol/records';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { unauthenticated } from '../../http/credentials.ts';
import { implement, type Route } from '../../http/route.ts';
import { stepUpRequired } from '../../http/step-up.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { nameIssues } from '../agents/text.ts';
import type { Feature } from '../feature.ts';
import { forgetAfter } from '../forget-after.ts';
import { grantView, readSessionView } from '../merchant-accounts/cookies.ts';
import { viewOf } from '../record.ts';
import {
  assertionOptions,
  checkAssertion,
  checkRegistration,
  passkeyInvalid,
  registrationOptions,
  relyingParty,
} from './ceremony.ts';
import {
  cancelPasskey,
  confirmPasskey,
  isEffective,
  refuseTooMany,
  registerPasskey,
  removePasskey,
  signIn,
  stepUp,
} from './passkeys.ts';
import { findByCredential, findEmail, listPasskeys } from './sql.ts';

export const passkeysFeature = (): Feature => ({
  name: 'passkeys',
  routes: passkeyRoutes,
  retention: [
    forgetAfter(DAY_MS, { name: 'passkey challenges', table: 'passkey_challenges', key: 'challenge_hash' }),
    forgetAfter(DAY_MS, {
      name: 'links that cancel passkeys',
      table: 'passkey_cancellations',
      key: 'token_hash',
    }),
  ],
});

const crossesTenants = 'a passkey is the operator’s, in every organization that it works for';

/** A caller who signed in by mail although there is a passkey may be reading a stolen mailbox. */
function refuseAfterMail({ factors }: MerchantPrincipal, now: Date): void {
  if (!factors.hasPasskey) throw notFound();
  if (factors.recoversAt && now < factors.recoversAt) throw stepUpRequired(factors, now);
}

const registration = implement(api.getPasskeyRegistrationOptions, {
  crossesTenants,
  async run({ context, act, principal }) {
    const { accountId, sessionId } = principal;
    const email = await findEmail(context.db, accountId);
    const known = await listPasskeys(context.db, accountId);
    if (email === undefined) throw unauthenticated();
    refuseTooMany(known);
    const person = { sessionId, accountId, email, known };
    return { options: await registrationOptions(context.db, act, relyingParty(context.config), person) };
  },
});

const register = implement(api.registerPasskey, {
  crossesTenants,
  check: (body) => nameIssues(body.name),
  async run({ context, act, principal, body }) {
    const asked = { purpose: 'registration', sessionId: principal.sessionId } as const;
    const party = relyingParty(context.config);
    const credential = await checkRegistration(context.db, act, party, asked, body.credential);
    const row = await transaction(context.db, (tx) =>
      registerPasskey(tx, act, principal, { name: body.name, credential }),
    );
    return { passkey: passkeyView(row) };
  },
});

const list = implement(api.listPasskeys, {
  crossesTenants,
  async run({ context, principal }) {
    return { passkeys: (await listPasskeys(context.db, principal.accountId)).map(passkeyView) };
  },
});

const remove = implement(api.removePasskey, {
  crossesTenants,
  async run({ context, act, principal, params }) {
    const row = await transaction(context.db, (tx) => removePasskey(tx, act, principal, params['id'] ?? ''));
    return { passkey: passkeyView(row) };
  },
});

const confirm = implement(api.confirmPasskey, {
  crossesTenants,
  async run({ context, act, principal, params }) {
    const row = await transaction(context.db, (tx) => confirmPasskey(tx, act, principal, params['id'] ?? ''));
    return { passkey: passkeyView(row) };
  },
});

const cancel = implement(api.cancelPasskey, {
  async run({ context, act, body }) {
    await transaction(context.db, (tx) => cancelPasskey(tx, act, body.token));
    return { cancelled: true };
  },
});

const stepUpOptions = implement(api.getStepUpOptions, {
  crossesTenants,
  async run({ context, act, principal }) {
    refuseAfterMail(principal, act.now);
    const known = (await listPasskeys(context.db, principal.accountId)).filter((one) =>
      isEffective(one, act.now),
    );
    const asked = { purpose: 'step_up', sessionId: principal.sessionId } as const;
    return { options: await assertionOptions(context.db, act, relyingParty(context.config), asked, known) };
  },
});

const stepUpNow = implement(api.stepUp, {
  crossesTenants,
  async run({ context, act, principal, body }) {
    refuseAfterMail(principal, act.now);
    const asked = { purpose: 'step_up', sessionId: principal.sessionId } as const;
    const findOwn = async (credentialId: string) => {
      const row = await findByCredential(context.db, credentialId);
      return row?.account_id === principal.accountId ? row : undefined;
    };
    const party = relyingParty(context.config);
    const used = await checkAssertion(context.db, act, party, asked, body.credential, findOwn);
    if (!isEffective(used.passkey, act.now)) throw passkeyInvalid('not_effective_yet');
    await transaction(context.db, (tx) => stepUp(tx, act, principal, used));
    return { session: await readSessionView(context.db, act, principal) };
  },
});

const signInOptions = implement(api.getPasskeySignInOptions, {
  async run({ context, act }) {
    const asked = { purpose: 'sign_in', sessionId: null } as const;
    return { options: await assertionOptions(context.db, act, relyingParty(context.config), asked, []) };
  },
});

const signInNow = implement(api.signInWithPasskey, {
  async run({ context, act, body }) {
    const asked = { purpose: 'sign_in', sessionId: null } as const;
    const find = (credentialId: string) => findByCredential(context.db, credentialId);
    const party = relyingParty(context.config);
    const used = await checkAssertion(context.db, act, party, asked, body.credential, find);
    return grantView(await transaction(context.db, (tx) => signIn(tx, act, used)));
  },
});

const passkeyRoutes: readonly Route[] = [
  registration,
  register,
  list,
  remove,
  confirm,
  cancel,
  stepUpOptions,
  stepUpNow,
  signInOptions,
  signInNow,
];

const passkeyView = viewOf(PasskeySchema);
