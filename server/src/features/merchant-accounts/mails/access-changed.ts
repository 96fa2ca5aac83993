import type { Mail } from '../../../lib/mail/index.ts';
import type { AccessChange, AccessChangedNotice } from '../../notices/queue.ts';
import { composeMail, type NoticeFacts, oneLine, readableTime } from './layout.ts';

interface Wording {
  subject(merchant: string): string;
  what(merchant: string): string;
  /** What to do when it should not be so. */
  otherwise: string;
}

const REMOVE_THEM = 'sign in, remove the operator, and sign out everywhere.';

const WORDINGS: Record<AccessChange, Wording> = {
  operator_invited: {
    subject: (merchant) => `Somebody is invited to work for ${merchant}`,
    what: (merchant) => `an owner of ${merchant} invited a new operator:`,
    otherwise: REMOVE_THEM,
  },
  operator_joined: {
    subject: (merchant) => `A new operator of ${merchant}`,
    what: (merchant) => `an invited operator signed in to ${merchant} for the first time:`,
    otherwise: REMOVE_THEM,
  },
  operator_role_changed: {
    subject: (merchant) => `A role in ${merchant} was changed`,
    what: (merchant) => `an owner of ${merchant} gave an operator another role:`,
    otherwise: 'sign in, give the operator the former role, and sign out everywhere.',
  },
  operator_removed: {
    subject: (merchant) => `An operator of ${merchant} was removed`,
    what: (merchant) =>
      `an owner of ${merchant} removed an operator. Their sessions are ended. API keys that they made still work:`,
    otherwise: 'sign in, invite the operator again, and sign out everywhere.',
  },
  passkey_registered: {
    subject: (merchant) => `A new passkey of an operator of ${merchant}`,
    what: (merchant) => `an operator of ${merchant} registered a passkey:`,
    otherwise:
      'sign in, remove the passkey or the operator, and sign out everywhere. Somebody may read the mailbox of the operator.',
  },
  passkey_removed: {
    subject: (merchant) => `A passkey of an operator of ${merchant} was removed`,
    what: (merchant) => `an operator of ${merchant} removed a passkey:`,
    otherwise: 'sign in, remove the operator, and ask them by another way than mail.',
  },
  signed_in_by_mail: {
    subject: (merchant) => `An operator of ${merchant} signed in without their passkey`,
    what: (merchant) =>
      `an operator of ${merchant} who has a passkey signed in with a mailed link instead. Anyone who reads the mailbox can do this. For 24 hours the passkey is not accepted after such a sign-in; then a new one can be registered:`,
    otherwise:
      'the operator signs in with the passkey and signs out everywhere, or another owner removes the operator. Either way the 24 hours end.',
  },
  four_eyes_on: {
    subject: (merchant) => `${merchant} requires two owners for important changes`,
    what: (merchant) =>
      `an owner of ${merchant} required that activating and archiving payees and changes of operators wait for a second owner:`,
    otherwise: 'sign in and ask for the opposite; another owner has to approve it.',
  },
  four_eyes_off: {
    subject: (merchant) => `${merchant} no longer requires two owners`,
    what: (merchant) =>
      `two owners of ${merchant} decided that one owner alone can change payees and operators:`,
    otherwise: 'sign in, require two owners again, and sign out everywhere.',
  },
  approval_requested: {
    subject: (merchant) => `A change of ${merchant} waits for a second owner`,
    what: (merchant) =>
      `an owner of ${merchant} asked for a change that another owner has to approve or reject within 24 hours:`,
    otherwise: 'sign in and reject it.',
  },
  approval_approved: {
    subject: (merchant) => `A change of ${merchant} was approved`,
    what: (merchant) => `a second owner of ${merchant} approved a change, and it was carried out:`,
    otherwise: 'sign in, ask for the opposite, and sign out everywhere.',
  },
  approval_rejected: {
    subject: (merchant) => `A change of ${merchant} was rejected`,
    what: (merchant) => `a second owner of ${merchant} rejected a change, and nothing was changed:`,
    otherwise: 'sign in and ask for it again.',
  },
};

/** Who may do what is never changed in silence. */
export function accessChangedMail({ to, baseUrl, at, notice }: NoticeFacts<AccessChangedNotice>): Mail {
  const merchant = oneLine(notice.merchant_name);
  const wording = WORDINGS[notice.change];
  return composeMail({
    to,
    subject: wording.subject(merchant),
    blocks: [
      { kind: 'paragraph', text: 'Hello,' },
      { kind: 'paragraph', text: `At ${readableTime(at)} ${wording.what(merchant)}` },
      { kind: 'facts', rows: notice.facts },
      { kind: 'paragraph', text: 'If this is right, there is nothing to do.' },
      { kind: 'paragraph', text: `If it is not, go to ${baseUrl}: ${wording.otherwise}` },
    ],
    footer: `Sent by PayAssent at ${baseUrl} to every owner of ${merchant} and to the person concerned. This notice cannot be switched off.`,
  });
}
