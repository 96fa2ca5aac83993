import type { MerchantStatus, OperatorRole } from '@payassent/protocol';
import type { Mail } from '../../../lib/mail/index.ts';
import { mailName } from '../../notices/queue.ts';
import { type Block, composeMail, oneLine, readableTime } from './layout.ts';

interface SignInLinkFacts {
  to: string;
  baseUrl: string;
  token: string;
  expiresAt: Date;
  workspaces: readonly { name: string; status: MerchantStatus }[];
  /** Sent because an owner invited this address. */
  invitation?: Invitation;
}

export interface Invitation {
  merchantName: string;
  role: OperatorRole;
  invitedBy: string;
}

interface Wording {
  subject: string;
  why: string;
  action: string;
}

const SAFETY =
  'PayAssent never asks for a key or a recovery phrase that money depends on, or for a password, neither by mail nor on its pages. Its wallet page takes one secret only: the seed of a test account, which holds play money.';

/** Only the owner of the mailbox reads it, so it may say what the answer to the caller must not. */
export function signInLinkMail(facts: SignInLinkFacts): Mail {
  const { host } = new URL(facts.baseUrl);
  const { invitation } = facts;
  const wording = invitation ? invited(invitation, host) : wordingFor(facts.workspaces, host);
  const blocks: Block[] = [
    wording.why,
    ...(invitation ? [] : listed(facts.workspaces)),
    { kind: 'link', label: wording.action, url: `${facts.baseUrl}/portal/verify#token=${facts.token}` },
    `The link works once and for 15 minutes, until ${readableTime(facts.expiresAt)}. Using it ends every other link that was sent to you before.`,
    'Was it not you? Then do nothing and delete this mail. Nobody gets in without this link, and nothing has been changed. Do not pass the link on to anyone, no matter who asks for it.',
    SAFETY,
  ];
  return composeMail({
    to: facts.to,
    subject: wording.subject,
    blocks,
    footer: invitation
      ? `Sent by PayAssent at ${facts.baseUrl} because ${oneLine(invitation.invitedBy)} entered this address there.`
      : `Sent by PayAssent at ${facts.baseUrl} because this address was entered there.`,
  });
}

function invited({ merchantName, role, invitedBy }: Invitation, host: string): Wording {
  const merchant = mailName(merchantName);
  return {
    subject: `An invitation to PayAssent at ${host}`,
    why: `${oneLine(invitedBy)} invites you to work for ${merchant} on PayAssent (${host}), with the role ${role}. Sign in to accept. When the link below is over, ask for another one at ${host} with this email address.`,
    action: 'Accept and sign in',
  };
}

function wordingFor(workspaces: SignInLinkFacts['workspaces'], host: string): Wording {
  if (workspaces.length === 0) {
    return {
      subject: `Confirm your email address for PayAssent at ${host}`,
      why: `Somebody, probably you, asked for a link to set up an organization at PayAssent (${host}) with this email address. PayAssent lets merchants ask for payments that their customers approve in their own wallets.`,
      action: 'Confirm this email address and continue',
    };
  }
  if (workspaces.every((workspace) => workspace.status === 'pending')) {
    return {
      subject: `Continue your setup on PayAssent at ${host}`,
      why: `Somebody, probably you, asked for a link to continue setting up an organization at PayAssent (${host}). What you have entered so far is still there.`,
      action: 'Continue the setup',
    };
  }
  return {
    subject: `Your sign-in link for PayAssent at ${host}`,
    why: `Somebody, probably you, asked for a link to sign in to PayAssent (${host}) as an operator of your organization.`,
    action: 'Sign in',
  };
}

const MAX_LISTED = 10;

function listed(workspaces: SignInLinkFacts['workspaces']): Block[] {
  if (workspaces.length === 0) return [];
  const rows = workspaces
    .slice(0, MAX_LISTED)
    .map(
      ({ name, status }) =>
        [mailName(name), status === 'active' ? 'active' : 'waiting for its domain proof'] as const,
    );
  return [{ kind: 'facts', rows }];
}
