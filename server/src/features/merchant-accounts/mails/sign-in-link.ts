import type { Language, MerchantStatus, OperatorRole } from '@payassent/protocol';
import type { Mail } from '../../../lib/mail/index.ts';
import { type Block, composeMail, oneLine } from './layout.ts';
import { type InEach, quotedName, ROLES, readableTime } from './words.ts';

export interface SignInLinkFacts {
  to: string;
  language: Language;
  baseUrl: string;
  token: string;
  expiresAt: Date;
  workspaces: readonly { name: string; status: MerchantStatus }[];
  /** Sent because an owner invited this address. */
  invitation?: Invitation;
}

interface Invitation {
  merchantName: string;
  role: OperatorRole;
  invitedBy: string;
}

interface Wording {
  subject: string;
  why: string;
  action: string;
}

/** By the organizations that the address can enter. */
const WORDINGS: Record<'nothing' | 'pending' | 'active', InEach<(host: string) => Wording>> = {
  nothing: {
    en: (host) => ({
      subject: `Confirm your email address for PayAssent at ${host}`,
      why: `Someone, probably you, requested a link to set up an organization at PayAssent (${host}) with this email address. PayAssent lets merchants request payments that their customers approve in their own wallets.`,
      action: 'Confirm this email address and continue',
    }),
    de: (host) => ({
      subject: `Bestätigen Sie Ihre E-Mail-Adresse für PayAssent auf ${host}`,
      why: `Jemand, vermutlich Sie, hat einen Link angefordert, um mit dieser E-Mail-Adresse eine Organisation bei PayAssent (${host}) einzurichten. Mit PayAssent bitten Händler um Zahlungen, die ihre Kunden in der eigenen Wallet freigeben.`,
      action: 'E-Mail-Adresse bestätigen und fortfahren',
    }),
  },
  pending: {
    en: (host) => ({
      subject: `Continue your setup on PayAssent at ${host}`,
      why: `Someone, probably you, requested a link to continue setting up an organization at PayAssent (${host}). What you have entered so far is still there.`,
      action: 'Continue the setup',
    }),
    de: (host) => ({
      subject: `Setzen Sie Ihre Einrichtung bei PayAssent auf ${host} fort`,
      why: `Jemand, vermutlich Sie, hat einen Link angefordert, um die Einrichtung einer Organisation bei PayAssent (${host}) fortzusetzen. Was Sie bisher eingegeben haben, ist erhalten.`,
      action: 'Einrichtung fortsetzen',
    }),
  },
  active: {
    en: (host) => ({
      subject: `Your sign-in link for PayAssent at ${host}`,
      why: `Someone, probably you, requested a link to sign in to PayAssent (${host}) as a member of your organization’s team.`,
      action: 'Sign in',
    }),
    de: (host) => ({
      subject: `Ihr Anmeldelink für PayAssent auf ${host}`,
      why: `Jemand, vermutlich Sie, hat einen Link angefordert, um sich als Teammitglied Ihrer Organisation bei PayAssent (${host}) anzumelden.`,
      action: 'Anmelden',
    }),
  },
};

const INVITED: InEach<(invitation: Invitation & { merchant: string }, host: string) => Wording> = {
  en: ({ merchant, role, invitedBy }, host) => ({
    subject: `An invitation to PayAssent at ${host}`,
    why: `${invitedBy} invites you to work for ${merchant} on PayAssent (${host}), with the role ${ROLES[role].en}. Sign in to accept. When the link below has expired, request another one at ${host} with this email address.`,
    action: 'Accept and sign in',
  }),
  de: ({ merchant, role, invitedBy }, host) => ({
    subject: `Eine Einladung zu PayAssent auf ${host}`,
    why: `${invitedBy} lädt Sie ein, auf PayAssent (${host}) für ${merchant} zu arbeiten, mit der Rolle ${ROLES[role].de}. Melden Sie sich an, um die Einladung anzunehmen. Wenn der Link unten abgelaufen ist, fordern Sie auf ${host} mit dieser E-Mail-Adresse einen neuen an.`,
    action: 'Annehmen und anmelden',
  }),
};

/** The text shared by all of these mails. */
const COMMON: InEach<{
  life(until: string): string;
  notYou: string;
  safety: string;
  footer(baseUrl: string, invitedBy?: string): string;
  active: string;
  pending: string;
}> = {
  en: {
    life: (until) =>
      `The link works once and for 15 minutes, until ${until}. Using it ends every other link that was sent to you before.`,
    notYou:
      'If this was not you, do nothing and delete this mail. No one can sign in without this link, and nothing has been changed. Never pass the link on, no matter who requests it.',
    safety:
      'PayAssent never asks for a key or a recovery phrase that money depends on, or for a password, neither by mail nor on its pages. Its wallet page takes one secret only: the seed of a test account, which holds play money.',
    footer: (baseUrl, invitedBy) =>
      invitedBy === undefined
        ? `Sent by PayAssent at ${baseUrl} because this address was entered there.`
        : `Sent by PayAssent at ${baseUrl} because ${invitedBy} entered this address there.`,
    active: 'active',
    pending: 'pending until its domain is proved',
  },
  de: {
    life: (until) =>
      `Der Link funktioniert einmal und 15 Minuten lang, bis zum ${until}. Wenn Sie ihn verwenden, gilt kein anderer Link mehr, der Ihnen vorher gesendet wurde.`,
    notYou:
      'Wenn Sie das nicht waren, tun Sie nichts und löschen Sie diese E-Mail. Ohne diesen Link kann sich niemand anmelden, und es wurde nichts geändert. Geben Sie den Link nie weiter, wer auch immer danach fragt.',
    safety:
      'PayAssent fragt nie nach einem Schlüssel oder einer Wiederherstellungsphrase, an denen Geld hängt, und nie nach einem Passwort, weder per E-Mail noch auf seinen Seiten. Die Seite der Wallet nimmt nur ein Geheimnis entgegen: den Seed eines Testkontos, auf dem Spielgeld liegt.',
    footer: (baseUrl, invitedBy) =>
      invitedBy === undefined
        ? `Gesendet von PayAssent unter ${baseUrl}, weil diese Adresse dort eingegeben wurde.`
        : `Gesendet von PayAssent unter ${baseUrl}, weil ${invitedBy} diese Adresse dort eingegeben hat.`,
    active: 'aktiv',
    pending: 'nicht aktiv, bis ihre Domain nachgewiesen ist',
  },
};

/** Only the owner of the mailbox reads it, so it may contain what the response to the caller must not. */
export function signInLinkMail(facts: SignInLinkFacts): Mail {
  const { to, language, baseUrl, workspaces, invitation } = facts;
  const { subject, why, action } = wordingFor(facts);
  const common = COMMON[language];
  const blocks: Block[] = [
    why,
    ...(invitation ? [] : listed(workspaces, language)),
    { kind: 'link', label: action, url: `${baseUrl}/portal/verify#token=${facts.token}` },
    common.life(readableTime(facts.expiresAt, language)),
    common.notYou,
    common.safety,
  ];
  const footer = common.footer(baseUrl, invitation && oneLine(invitation.invitedBy));
  return composeMail({ to, language, subject, blocks, footer });
}

function wordingFor({ baseUrl, language, workspaces, invitation }: SignInLinkFacts): Wording {
  const { host } = new URL(baseUrl);
  if (invitation) {
    const merchant = quotedName(invitation.merchantName, language);
    const invitedBy = oneLine(invitation.invitedBy);
    return INVITED[language]({ ...invitation, invitedBy, merchant }, host);
  }
  if (workspaces.length === 0) return WORDINGS.nothing[language](host);
  const isPending = workspaces.every((workspace) => workspace.status === 'pending');
  return WORDINGS[isPending ? 'pending' : 'active'][language](host);
}

const MAX_LISTED = 10;

function listed(workspaces: SignInLinkFacts['workspaces'], language: Language): Block[] {
  if (workspaces.length === 0) return [];
  const rows = workspaces
    .slice(0, MAX_LISTED)
    .map(({ name, status }) => [quotedName(name, language), COMMON[language][status]] as const);
  return [{ kind: 'facts', rows }];
}
