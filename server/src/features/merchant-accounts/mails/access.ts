import type { Mail } from '../../../lib/mail/index.ts';
import type { AccessChange, AccessChangedNotice } from '../../notices/queue.ts';
import { composeMail, type NoticeFacts } from './layout.ts';
import { factRows, type InEach, quotedName, readableTime } from './words.ts';

interface Wording {
  subject: string;
  what(merchant: string): string;
  /** What to do when the change is unwanted. */
  otherwise: string;
  /** The effect of the link. */
  link?: string;
}

const REMOVE_THEM: InEach<string> = {
  en: 'sign in, remove the team member, and sign out everywhere.',
  de: 'Melden Sie sich an, entfernen Sie das Teammitglied und melden Sie sich überall ab.',
};

const REVOKE_IT: InEach<string> = {
  en: 'sign in, revoke the key of the agent, and sign out everywhere.',
  de: 'Melden Sie sich an, widerrufen Sie den Schlüssel des Agenten und melden Sie sich überall ab.',
};

const WORDINGS: Record<AccessChange, InEach<Wording>> = {
  operator_invited: {
    en: {
      subject: 'A team member was invited to your organization',
      what: (merchant) => `an owner of ${merchant} invited a new team member:`,
      otherwise: REMOVE_THEM.en,
    },
    de: {
      subject: 'Ein Teammitglied wurde in Ihre Organisation eingeladen',
      what: (merchant) => `hat ein Inhaber von ${merchant} ein neues Teammitglied eingeladen:`,
      otherwise: REMOVE_THEM.de,
    },
  },
  operator_joined: {
    en: {
      subject: 'A new team member of your organization',
      what: (merchant) => `an invited team member signed in to ${merchant} for the first time:`,
      otherwise: REMOVE_THEM.en,
    },
    de: {
      subject: 'Ein neues Teammitglied Ihrer Organisation',
      what: (merchant) => `hat sich ein eingeladenes Teammitglied zum ersten Mal bei ${merchant} angemeldet:`,
      otherwise: REMOVE_THEM.de,
    },
  },
  operator_role_changed: {
    en: {
      subject: 'A role in your organization was changed',
      what: (merchant) => `an owner of ${merchant} gave a team member another role:`,
      otherwise: 'sign in, give the team member the previous role, and sign out everywhere.',
    },
    de: {
      subject: 'Eine Rolle in Ihrer Organisation wurde geändert',
      what: (merchant) => `hat ein Inhaber von ${merchant} einem Teammitglied eine andere Rolle gegeben:`,
      otherwise:
        'Melden Sie sich an, geben Sie dem Teammitglied die bisherige Rolle und melden Sie sich überall ab.',
    },
  },
  operator_removed: {
    en: {
      subject: 'A team member of your organization was removed',
      what: (merchant) =>
        `an owner of ${merchant} removed a team member. Their sessions are ended. API keys that they made still work:`,
      otherwise: 'sign in, invite the team member again, and sign out everywhere.',
    },
    de: {
      subject: 'Ein Teammitglied Ihrer Organisation wurde entfernt',
      what: (merchant) =>
        `hat ein Inhaber von ${merchant} ein Teammitglied entfernt. Dessen Sitzungen sind beendet. API-Schlüssel, die es erstellt hat, funktionieren weiter:`,
      otherwise: 'Melden Sie sich an, laden Sie das Teammitglied wieder ein und melden Sie sich überall ab.',
    },
  },
  passkey_registered: {
    en: {
      subject: 'A new passkey of a team member of your organization',
      what: (merchant) => `a team member of ${merchant} registered a passkey:`,
      otherwise:
        'sign in, remove the passkey or the team member, and sign out everywhere. A stranger may read the mailbox of the team member.',
    },
    de: {
      subject: 'Ein neuer Passkey eines Teammitglieds Ihrer Organisation',
      what: (merchant) => `hat ein Teammitglied von ${merchant} einen Passkey registriert:`,
      otherwise:
        'Melden Sie sich an, entfernen Sie den Passkey oder das Teammitglied und melden Sie sich überall ab. Vielleicht liest ein Fremder das Postfach des Teammitglieds.',
    },
  },
  passkey_pending: {
    en: {
      subject: 'The first passkey of a team member on PayAssent',
      what: (merchant) =>
        `a team member of ${merchant} registered their first passkey. It is effective in 24 hours, or when another owner confirms it. Anyone who reads the mailbox of the team member can do this:`,
      otherwise:
        'cancel the passkey with the link above, or sign in and remove it or the team member. Cancelling also ends every session of the team member.',
      link: 'Cancel this passkey',
    },
    de: {
      subject: 'Der erste Passkey eines Teammitglieds auf PayAssent',
      what: (merchant) =>
        `hat ein Teammitglied von ${merchant} seinen ersten Passkey registriert. Er ist in 24 Stunden wirksam, oder sobald ein anderer Inhaber ihn bestätigt. Das kann jeder tun, der das Postfach des Teammitglieds liest:`,
      otherwise:
        'Brechen Sie den Passkey mit dem Link oben ab, oder melden Sie sich an und entfernen Sie ihn oder das Teammitglied. Das Abbrechen beendet auch alle Sitzungen des Teammitglieds.',
      link: 'Diesen Passkey abbrechen',
    },
  },
  passkey_confirmed: {
    en: {
      subject: 'A first passkey was confirmed on PayAssent',
      what: (merchant) => `an owner of ${merchant} confirmed the first passkey of another team member:`,
      otherwise: REMOVE_THEM.en,
    },
    de: {
      subject: 'Ein erster Passkey wurde auf PayAssent bestätigt',
      what: (merchant) =>
        `hat ein Inhaber von ${merchant} den ersten Passkey eines anderen Teammitglieds bestätigt:`,
      otherwise: REMOVE_THEM.de,
    },
  },
  passkey_cancelled: {
    en: {
      subject: 'A first passkey was cancelled on PayAssent',
      what: (merchant) =>
        `an owner of ${merchant} cancelled the first passkey of a team member with the mailed link. It is removed, and every session of the team member has ended:`,
      otherwise: 'the team member signs in by mail and registers the passkey again.',
    },
    de: {
      subject: 'Ein erster Passkey wurde auf PayAssent abgebrochen',
      what: (merchant) =>
        `hat ein Inhaber von ${merchant} den ersten Passkey eines Teammitglieds mit dem Link aus der E-Mail abgebrochen. Er ist entfernt, und alle Sitzungen des Teammitglieds sind beendet:`,
      otherwise: 'Das Teammitglied meldet sich per E-Mail an und registriert den Passkey noch einmal.',
    },
  },
  passkeys_reset: {
    en: {
      subject: 'The passkeys of a team member were removed on PayAssent',
      what: (merchant) =>
        `the host of this service removed all passkeys of a team member of ${merchant}, and ended their sessions. They sign in by mail, and a new passkey is effective after 24 hours:`,
      otherwise: 'ask the host of this service, and not by mail.',
    },
    de: {
      subject: 'Die Passkeys eines Teammitglieds wurden auf PayAssent entfernt',
      what: (merchant) =>
        `hat der Betreiber dieses Dienstes alle Passkeys eines Teammitglieds von ${merchant} entfernt und dessen Sitzungen beendet. Das Teammitglied meldet sich per E-Mail an, und ein neuer Passkey ist nach 24 Stunden wirksam:`,
      otherwise: 'Fragen Sie den Betreiber dieses Dienstes, und zwar nicht per E-Mail.',
    },
  },
  passkey_recovery_ended: {
    en: {
      subject: 'The wait for a new passkey was ended on PayAssent',
      what: (merchant) =>
        `a team member of ${merchant} signed out everywhere. That ended the 24 hours after which a new passkey could have been registered by mail:`,
      otherwise:
        'another owner removes the team member, or the host of this service removes their passkeys (payassent team reset-passkeys).',
    },
    de: {
      subject: 'Die Wartezeit auf einen neuen Passkey wurde auf PayAssent beendet',
      what: (merchant) =>
        `hat sich ein Teammitglied von ${merchant} überall abgemeldet. Damit endeten die 24 Stunden, nach denen per E-Mail ein neuer Passkey hätte registriert werden können:`,
      otherwise:
        'Ein anderer Inhaber entfernt das Teammitglied, oder der Betreiber dieses Dienstes entfernt dessen Passkeys (payassent team reset-passkeys).',
    },
  },
  passkey_removed: {
    en: {
      subject: 'A passkey of a team member of your organization was removed',
      what: (merchant) => `a team member of ${merchant} removed a passkey:`,
      otherwise: 'sign in, remove the team member, and ask them, not by mail.',
    },
    de: {
      subject: 'Ein Passkey eines Teammitglieds Ihrer Organisation wurde entfernt',
      what: (merchant) => `hat ein Teammitglied von ${merchant} einen Passkey entfernt:`,
      otherwise: 'Melden Sie sich an, entfernen Sie das Teammitglied und fragen Sie es, nicht per E-Mail.',
    },
  },
  signed_in_by_mail: {
    en: {
      subject: 'A team member of your organization signed in without their passkey',
      what: (merchant) =>
        `a team member of ${merchant} who has a passkey signed in with a mailed link instead. Anyone who reads the mailbox can do this. For 24 hours the passkey is not accepted after such a sign-in; then a new one can be registered:`,
      otherwise:
        'the team member signs in with the passkey and signs out everywhere, or another owner removes them. Either way the 24 hours end.',
    },
    de: {
      subject: 'Ein Teammitglied Ihrer Organisation hat sich ohne seinen Passkey angemeldet',
      what: (merchant) =>
        `hat sich ein Teammitglied von ${merchant}, das einen Passkey hat, stattdessen mit einem Link per E-Mail angemeldet. Das kann jeder tun, der das Postfach liest. Nach einer solchen Anmeldung wird der Passkey 24 Stunden lang nicht angenommen; dann kann ein neuer registriert werden:`,
      otherwise:
        'Das Teammitglied meldet sich mit dem Passkey an und meldet sich überall ab, oder ein anderer Inhaber entfernt es. In beiden Fällen enden die 24 Stunden.',
    },
  },
  four_eyes_on: {
    en: {
      subject: 'Your organization requires two owners for important changes',
      what: (merchant) =>
        `an owner of ${merchant} requires a second owner for activating and archiving payees, deleting domains and changes of team members:`,
      otherwise: 'sign in and request the opposite; another owner has to approve it.',
    },
    de: {
      subject: 'Ihre Organisation verlangt zwei Inhaber für wichtige Änderungen',
      what: (merchant) =>
        `hat ein Inhaber von ${merchant} einen zweiten Inhaber verlangt: für das Aktivieren und Archivieren von Zahlungsempfängern, das Löschen von Domains und Änderungen am Team:`,
      otherwise: 'Melden Sie sich an und beantragen Sie das Gegenteil; ein anderer Inhaber muss zustimmen.',
    },
  },
  four_eyes_off: {
    en: {
      subject: 'Your organization no longer requires two owners',
      what: (merchant) =>
        `two owners of ${merchant} decided that one owner alone can change payees and team members and delete domains:`,
      otherwise: 'sign in, require two owners again, and sign out everywhere.',
    },
    de: {
      subject: 'Ihre Organisation verlangt nicht länger zwei Inhaber',
      what: (merchant) =>
        `haben zwei Inhaber von ${merchant} entschieden, dass ein Inhaber allein Zahlungsempfänger und das Team ändern und Domains löschen kann:`,
      otherwise: 'Melden Sie sich an, verlangen Sie wieder zwei Inhaber und melden Sie sich überall ab.',
    },
  },
  approval_requested: {
    en: {
      subject: 'A change of your organization needs a second owner',
      what: (merchant) =>
        `an owner of ${merchant} requested a change that another owner has to approve or reject within 24 hours:`,
      otherwise: 'sign in and reject it.',
    },
    de: {
      subject: 'Eine Änderung Ihrer Organisation braucht einen zweiten Inhaber',
      what: (merchant) =>
        `hat ein Inhaber von ${merchant} eine Änderung beantragt, über die ein anderer Inhaber innerhalb von 24 Stunden entscheiden muss:`,
      otherwise: 'Melden Sie sich an und lehnen Sie sie ab.',
    },
  },
  approval_approved: {
    en: {
      subject: 'A change of your organization was approved',
      what: (merchant) => `a second owner of ${merchant} approved a change, and it was carried out:`,
      otherwise: 'sign in, request the opposite, and sign out everywhere.',
    },
    de: {
      subject: 'Einer Änderung Ihrer Organisation wurde zugestimmt',
      what: (merchant) =>
        `hat ein zweiter Inhaber von ${merchant} einer Änderung zugestimmt, und sie wurde ausgeführt:`,
      otherwise: 'Melden Sie sich an, beantragen Sie das Gegenteil und melden Sie sich überall ab.',
    },
  },
  approval_rejected: {
    en: {
      subject: 'A change of your organization was rejected',
      what: (merchant) => `a second owner of ${merchant} rejected a change, and nothing was changed:`,
      otherwise: 'sign in and request it again.',
    },
    de: {
      subject: 'Eine Änderung Ihrer Organisation wurde abgelehnt',
      what: (merchant) =>
        `hat ein zweiter Inhaber von ${merchant} eine Änderung abgelehnt, und es wurde nichts geändert:`,
      otherwise: 'Melden Sie sich an und beantragen Sie sie noch einmal.',
    },
  },
  agent_credential_added: {
    en: {
      subject: 'A key was added to an agent on PayAssent',
      what: (merchant) =>
        `a team member of ${merchant} added a public key to an agent. Once it is activated, anyone with its private key acts as this agent:`,
      otherwise: REVOKE_IT.en,
    },
    de: {
      subject: 'Einem Agenten auf PayAssent wurde ein Schlüssel hinzugefügt',
      what: (merchant) =>
        `hat ein Teammitglied von ${merchant} einem Agenten einen öffentlichen Schlüssel hinzugefügt. Sobald er aktiviert ist, handelt jeder, der den privaten Schlüssel dazu hat, als dieser Agent:`,
      otherwise: REVOKE_IT.de,
    },
  },
  agent_credential_activated: {
    en: {
      subject: 'A key of an agent was activated on PayAssent',
      what: (merchant) =>
        `a team member of ${merchant} activated a key of an agent. Anyone with its private key acts as this agent from now on:`,
      otherwise: REVOKE_IT.en,
    },
    de: {
      subject: 'Ein Schlüssel eines Agenten wurde auf PayAssent aktiviert',
      what: (merchant) =>
        `hat ein Teammitglied von ${merchant} einen Schlüssel eines Agenten aktiviert. Ab jetzt handelt jeder, der den privaten Schlüssel dazu hat, als dieser Agent:`,
      otherwise: REVOKE_IT.de,
    },
  },
  require_proof_off: {
    en: {
      subject: 'An agent no longer proves its key on PayAssent',
      what: (merchant) =>
        `a team member of ${merchant} switched off the proofs of an agent’s key. From now on a connection token alone is enough:`,
      otherwise: 'sign in, require the proof again, and sign out everywhere.',
    },
    de: {
      subject: 'Ein Agent weist seinen Schlüssel auf PayAssent nicht mehr nach',
      what: (merchant) =>
        `hat ein Teammitglied von ${merchant} abgeschaltet, dass ein Agent seinen Schlüssel nachweist. Ab jetzt genügt ein Verbindungstoken allein:`,
      otherwise: 'Melden Sie sich an, verlangen Sie den Nachweis wieder und melden Sie sich überall ab.',
    },
  },
  webhook_url_changed: {
    en: {
      subject: 'The address of a webhook was changed on PayAssent',
      what: (merchant) => `a team member of ${merchant} changed the address of a webhook endpoint:`,
      otherwise: 'sign in, change the address back, rotate the secret, and sign out everywhere.',
    },
    de: {
      subject: 'Die Adresse eines Webhooks wurde auf PayAssent geändert',
      what: (merchant) =>
        `hat ein Teammitglied von ${merchant} die Adresse eines Webhook-Endpunkts geändert:`,
      otherwise:
        'Melden Sie sich an, ändern Sie die Adresse zurück, erstellen Sie ein neues Geheimnis und melden Sie sich überall ab.',
    },
  },
  domain_deleted: {
    en: {
      subject: 'A domain was deleted on PayAssent',
      what: (merchant) =>
        `an owner of ${merchant} deleted a domain. Payees that depended on it are suspended, and another organization can prove the domain:`,
      otherwise: 'sign in, register and verify the domain again, and sign out everywhere.',
    },
    de: {
      subject: 'Eine Domain wurde auf PayAssent gelöscht',
      what: (merchant) =>
        `hat ein Inhaber von ${merchant} eine Domain gelöscht. Zahlungsempfänger, die auf ihr beruhten, sind gesperrt, und eine andere Organisation kann die Domain nachweisen:`,
      otherwise:
        'Melden Sie sich an, registrieren Sie die Domain, weisen Sie sie wieder nach und melden Sie sich überall ab.',
    },
  },
};

/** The text around the wording. */
const FRAME: InEach<{
  lead(at: string, what: string): string;
  nothingToDo: string;
  otherwise(baseUrl: string, what: string): string;
  footer(baseUrl: string, merchant: string): string;
}> = {
  en: {
    lead: (at, what) => `At ${at} ${what}`,
    nothingToDo: 'If this is right, there is nothing to do.',
    otherwise: (baseUrl, what) => `If it is not, go to ${baseUrl}: ${what}`,
    footer: (baseUrl, merchant) =>
      `Sent by PayAssent at ${baseUrl} to every owner of ${merchant} and to the person concerned. This notice cannot be switched off.`,
  },
  de: {
    lead: (at, what) => `Am ${at} ${what}`,
    nothingToDo: 'Wenn das so richtig ist, brauchen Sie nichts zu tun.',
    otherwise: (baseUrl, what) => `Wenn nicht, öffnen Sie ${baseUrl}: ${what}`,
    footer: (baseUrl, merchant) =>
      `Gesendet von PayAssent unter ${baseUrl} an alle Inhaber von ${merchant} und an die betroffene Person. Diese Nachricht lässt sich nicht abschalten.`,
  },
};

/** No right is changed without a mail. */
export function accessChangedMail(
  { to, language, baseUrl, at, notice }: NoticeFacts<AccessChangedNotice>,
  link?: string,
): Mail {
  const merchant = quotedName(notice.merchant_name, language);
  const wording = WORDINGS[notice.change][language];
  const frame = FRAME[language];
  return composeMail({
    to,
    language,
    subject: wording.subject,
    blocks: [
      frame.lead(readableTime(at, language), wording.what(merchant)),
      { kind: 'facts', rows: factRows(notice.facts, language) },
      ...(link === undefined || wording.link === undefined
        ? []
        : [{ kind: 'link', label: wording.link, url: link } as const]),
      frame.nothingToDo,
      frame.otherwise(baseUrl, wording.otherwise),
    ],
    footer: frame.footer(baseUrl, merchant),
  });
}
