import type { Mail } from '../../../lib/mail/index.ts';
import {
  type AccessChange,
  type AccessChangedNotice,
  type ApiKeyCreatedNotice,
  mailName,
} from '../../notices/queue.ts';
import { composeMail, type NoticeFacts, noticeFooter, readableTime } from './layout.ts';

interface Wording {
  subject: string;
  what(merchant: string): string;
  /** What to do when it should not be so. */
  otherwise: string;
  /** What the link does. */
  link?: string;
}

const REMOVE_THEM = 'sign in, remove the operator, and sign out everywhere.';

const WORDINGS: Record<AccessChange, Wording> = {
  operator_invited: {
    subject: 'A person was invited to your organization',
    what: (merchant) => `an owner of ${merchant} invited a new operator:`,
    otherwise: REMOVE_THEM,
  },
  operator_joined: {
    subject: 'A new operator of your organization',
    what: (merchant) => `an invited operator signed in to ${merchant} for the first time:`,
    otherwise: REMOVE_THEM,
  },
  operator_role_changed: {
    subject: 'A role in your organization was changed',
    what: (merchant) => `an owner of ${merchant} gave an operator another role:`,
    otherwise: 'sign in, give the operator the former role, and sign out everywhere.',
  },
  operator_removed: {
    subject: 'An operator of your organization was removed',
    what: (merchant) =>
      `an owner of ${merchant} removed an operator. Their sessions are ended. API keys that they made still work:`,
    otherwise: 'sign in, invite the operator again, and sign out everywhere.',
  },
  passkey_registered: {
    subject: 'A new passkey of an operator of your organization',
    what: (merchant) => `an operator of ${merchant} registered a passkey:`,
    otherwise:
      'sign in, remove the passkey or the operator, and sign out everywhere. Somebody may read the mailbox of the operator.',
  },
  passkey_pending: {
    subject: 'The first passkey of an operator on PayAssent',
    what: (merchant) =>
      `an operator of ${merchant} registered their first passkey. It is effective in 24 hours, or when another owner confirms it. Anyone who reads the mailbox of the operator can do this:`,
    otherwise:
      'cancel the passkey with the link above, or sign in and remove it or the operator. Cancelling also ends every session of the operator.',
    link: 'Cancel this passkey',
  },
  passkey_confirmed: {
    subject: 'A first passkey was confirmed on PayAssent',
    what: (merchant) => `an owner of ${merchant} confirmed the first passkey of another operator:`,
    otherwise: 'sign in, remove the operator, and sign out everywhere.',
  },
  passkey_cancelled: {
    subject: 'A first passkey was cancelled on PayAssent',
    what: (merchant) =>
      `an owner of ${merchant} cancelled the first passkey of an operator with the mailed link. It is removed, and every session of the operator has ended:`,
    otherwise: 'the operator signs in by mail and registers the passkey again.',
  },
  passkeys_reset: {
    subject: 'The passkeys of an operator were removed on PayAssent',
    what: (merchant) =>
      `the one who runs this service removed all passkeys of an operator of ${merchant}, and ended the sessions of the operator. They sign in by mail, and a new passkey is effective after 24 hours:`,
    otherwise: 'ask the one who runs this service, by another way than mail.',
  },
  passkey_recovery_ended: {
    subject: 'The wait for a new passkey was ended on PayAssent',
    what: (merchant) =>
      `an operator of ${merchant} signed out everywhere. That ended the 24 hours after which a new passkey could have been registered by mail:`,
    otherwise:
      'another owner removes the operator, or the one who runs this service removes the passkeys of the operator (payassent team reset-passkeys).',
  },
  passkey_removed: {
    subject: 'A passkey of an operator of your organization was removed',
    what: (merchant) => `an operator of ${merchant} removed a passkey:`,
    otherwise: 'sign in, remove the operator, and ask them by another way than mail.',
  },
  signed_in_by_mail: {
    subject: 'An operator of your organization signed in without their passkey',
    what: (merchant) =>
      `an operator of ${merchant} who has a passkey signed in with a mailed link instead. Anyone who reads the mailbox can do this. For 24 hours the passkey is not accepted after such a sign-in; then a new one can be registered:`,
    otherwise:
      'the operator signs in with the passkey and signs out everywhere, or another owner removes the operator. Either way the 24 hours end.',
  },
  four_eyes_on: {
    subject: 'Your organization requires two owners for important changes',
    what: (merchant) =>
      `an owner of ${merchant} required that activating and archiving payees, deleting domains and changes of operators wait for a second owner:`,
    otherwise: 'sign in and ask for the opposite; another owner has to approve it.',
  },
  four_eyes_off: {
    subject: 'Your organization no longer requires two owners',
    what: (merchant) =>
      `two owners of ${merchant} decided that one owner alone can change payees and operators and delete domains:`,
    otherwise: 'sign in, require two owners again, and sign out everywhere.',
  },
  approval_requested: {
    subject: 'A change of your organization waits for a second owner',
    what: (merchant) =>
      `an owner of ${merchant} asked for a change that another owner has to approve or reject within 24 hours:`,
    otherwise: 'sign in and reject it.',
  },
  approval_approved: {
    subject: 'A change of your organization was approved',
    what: (merchant) => `a second owner of ${merchant} approved a change, and it was carried out:`,
    otherwise: 'sign in, ask for the opposite, and sign out everywhere.',
  },
  approval_rejected: {
    subject: 'A change of your organization was rejected',
    what: (merchant) => `a second owner of ${merchant} rejected a change, and nothing was changed:`,
    otherwise: 'sign in and ask for it again.',
  },
  agent_credential_added: {
    subject: 'A key was added to an agent on PayAssent',
    what: (merchant) =>
      `an operator of ${merchant} added a public key to an agent. Once it is activated, the one who has its private key acts as this agent:`,
    otherwise: 'sign in, revoke the key of the agent, and sign out everywhere.',
  },
  agent_credential_activated: {
    subject: 'A key of an agent was activated on PayAssent',
    what: (merchant) =>
      `an operator of ${merchant} activated a key of an agent. The one who has its private key acts as this agent from now on:`,
    otherwise: 'sign in, revoke the key of the agent, and sign out everywhere.',
  },
  require_proof_off: {
    subject: 'An agent no longer proves its key on PayAssent',
    what: (merchant) =>
      `an operator of ${merchant} switched off that calls of an agent need a proof of its key. From now on a connection token alone is enough:`,
    otherwise: 'sign in, require the proof again, and sign out everywhere.',
  },
  webhook_url_changed: {
    subject: 'A webhook goes to another address on PayAssent',
    what: (merchant) => `an operator of ${merchant} changed where the messages of a webhook endpoint go:`,
    otherwise: 'sign in, change the address back, rotate the secret, and sign out everywhere.',
  },
  domain_deleted: {
    subject: 'A domain was deleted on PayAssent',
    what: (merchant) =>
      `an owner of ${merchant} deleted a domain. Payees that rested on it are suspended, and another organization can prove the domain:`,
    otherwise: 'sign in, register and verify the domain again, and sign out everywhere.',
  },
};

/** Who may do what is never changed in silence. */
export function accessChangedMail(
  { to, baseUrl, at, notice }: NoticeFacts<AccessChangedNotice>,
  link?: string,
): Mail {
  const merchant = mailName(notice.merchant_name);
  const wording = WORDINGS[notice.change];
  return composeMail({
    to,
    subject: wording.subject,
    blocks: [
      `At ${readableTime(at)} ${wording.what(merchant)}`,
      { kind: 'facts', rows: notice.facts },
      ...(link === undefined || wording.link === undefined
        ? []
        : [{ kind: 'link', label: wording.link, url: link } as const]),
      'If this is right, there is nothing to do.',
      `If it is not, go to ${baseUrl}: ${wording.otherwise}`,
    ],
    footer: `Sent by PayAssent at ${baseUrl} to every owner of ${merchant} and to the person concerned. This notice cannot be switched off.`,
  });
}

/** The mail that lets an operator notice a key that somebody else made: it works until it is revoked. */
export function apiKeyCreatedMail({ to, baseUrl, at, notice }: NoticeFacts<ApiKeyCreatedNotice>): Mail {
  const merchant = mailName(notice.merchant_name);
  const with_ = notice.made_with === 'session' ? 'an operator who is signed in' : 'an admin session';
  return composeMail({
    to,
    subject: 'A new API key of your organization',
    blocks: [
      `At ${readableTime(at)} an API key of ${merchant} was made on PayAssent, by ${with_}. It works until it is revoked:`,
      {
        kind: 'facts',
        rows: [
          ['Name', mailName(notice.key_name)],
          ['Key', notice.api_key_id],
          ['Agent', `${mailName(notice.agent_name)} (${notice.agent_id})`],
        ],
      },
      'If one of you did this, there is nothing to do.',
      `If nobody of you did this: sign in at ${baseUrl}, revoke the key, and sign out everywhere. That also ends every key that you made with an admin session, and every key that you made in the last 24 hours.`,
    ],
    footer: noticeFooter(baseUrl, merchant),
  });
}
