import type * as english from '../../portal/team.ts';
import type { Translated } from '../translated.ts';

export const teamTexts: Translated<typeof english.teamTexts> = {
  title: 'Team',
  lead: 'Die Menschen, die für diese Organisation arbeiten. Inhaber dürfen alles; Entwickler Agenten, Schlüssel, Webhooks und Verbindungen; Betrachter lesen.',
  table: 'Teammitglieder',
  heads: { email: 'E-Mail-Adresse', role: 'Rolle', status: 'Status', since: 'Seit', actions: 'Aktionen' },
  you: 'Sie',
  roles: { owner: 'Inhaber', developer: 'Entwickler', viewer: 'Betrachter' },
  invite: {
    title: 'Teammitglied einladen',
    email: 'E-Mail-Adresse',
    emailHint: 'Dorthin wird ein Anmeldelink gesendet. Alle Inhaber werden informiert.',
    role: 'Rolle',
    action: 'Einladung senden',
    sent: 'Die Einladung ist unterwegs.',
  },
  change: {
    action: 'Rolle ändern',
    title: 'Eine andere Rolle geben?',
    text: 'Sie gilt ab dem nächsten Aufruf dieses Teammitglieds. Die Inhaber und das Teammitglied werden per E-Mail informiert.',
    confirm: 'Rolle ändern',
  },
  passkey: {
    waits: 'Erster Passkey, wirksam ab',
    action: 'Passkey bestätigen',
    title: 'Diesen Passkey bestätigen?',
    text: 'Fragen Sie das Teammitglied auf einem anderen Weg als per E-Mail, ob es ihn registriert hat. Bestätigt ist er sofort wirksam, sonst nach 24 Stunden. Alle Inhaber erhalten eine E-Mail.',
    confirm: 'Bestätigen',
  },
  remove: {
    action: 'Entfernen',
    title: 'Dieses Teammitglied entfernen?',
    text: 'Alle Sitzungen dieses Teammitglieds in dieser Organisation enden sofort. API-Schlüssel, die es erstellt hat, funktionieren weiter, bis Sie sie widerrufen.',
    confirm: 'Entfernen',
  },
  keys: {
    title: 'API-Schlüssel, die das Teammitglied erstellt hat, funktionieren noch',
    text: 'Agenten können von ihnen abhängen. Entscheiden Sie unter „API-Zugang“ für jeden, ob Sie ihn widerrufen:',
  },
};

export const approvalTexts: Translated<typeof english.approvalTexts> = {
  title: 'Anträge',
  lead: 'Änderungen, die ein Inhaber beantragt hat und über die ein anderer entscheidet, innerhalb von 24 Stunden.',
  table: 'Anträge',
  empty: {
    title: 'Keine offenen Anträge',
    text: 'Wo zwei Inhaber nötig sind, steht hier, was einer beantragt.',
  },
  heads: {
    act: 'Änderung',
    details: 'Was genau',
    by: 'Beantragt von',
    status: 'Status',
    actions: 'Aktionen',
  },
  acts: {
    'recipient.activate': 'Zahlungsempfänger aktivieren',
    'recipient.archive': 'Zahlungsempfänger archivieren',
    'operator.invite': 'Teammitglied einladen',
    'operator.change_role': 'Rolle ändern',
    'operator.remove': 'Teammitglied entfernen',
    'merchant.four_eyes_off': 'Nicht länger zwei Inhaber verlangen',
    'domain.delete': 'Domain löschen',
  },
  until: 'bis',
  decidedBy: 'von',
  own: 'Sie haben das beantragt: Ein anderer Inhaber entscheidet.',
  approve: {
    action: 'Zustimmen',
    title: 'Das ausführen?',
    text: 'Vergleichen Sie, was gezeigt wird, mit dem, was Sie erwarten. Alle Prüfungen werden wiederholt.',
    confirm: 'Zustimmen und ausführen',
  },
  reject: {
    action: 'Ablehnen',
    title: 'Das ablehnen?',
    text: 'Es wird nichts geändert.',
    confirm: 'Ablehnen',
  },
};

export const safetyTexts: Translated<typeof english.safetyTexts> = {
  title: 'Ihre Anmeldung',
  passkeys: {
    title: 'Passkeys',
    lead: 'Mit einem Passkey melden Sie sich ohne E-Mail an, und niemand, der Ihr Postfach liest, kann Zahlungsempfänger, Geheimnisse oder Teammitglieder ändern. Sobald einer wirksam ist, werden Sie danach gefragt, wo es darauf ankommt. Registrieren Sie einen zweiten für den Tag, an dem Sie den ersten verlieren.',
    table: 'Passkeys',
    heads: {
      name: 'Name',
      made: 'Registriert',
      effective: 'Wirksam ab',
      used: 'Zuletzt verwendet',
      actions: 'Aktionen',
    },
    pending:
      'Ihr Passkey ist noch nicht wirksam. Bis dahin wird nirgends danach gefragt. Ein anderer Inhaber kann ihn unter „Team“ bestätigen; sonst ist er nach 24 Stunden wirksam. Alle Inhaber haben eine E-Mail mit einem Link erhalten, der ihn abbricht.',
    none: 'Sie haben noch keinen Passkey.',
    never: 'nie',
    name: 'Name',
    nameHint: 'Für Sie: welches Telefon, welcher Computer oder Schlüssel es ist.',
    add: 'Passkey registrieren',
    added: 'Der Passkey ist registriert.',
    refused: 'Es wurde kein Passkey erstellt. Versuchen Sie es erneut oder mit einem anderen Gerät.',
    address: 'Ein Browser hat Passkeys nur für einen Namen. Öffnen Sie das Portal hier:',
    remove: {
      action: 'Entfernen',
      title: 'Diesen Passkey entfernen?',
      text: 'Er meldet Sie nicht mehr an.',
      confirm: 'Entfernen',
    },
  },
  sessions: {
    title: 'Wo Sie angemeldet sind',
    table: 'Sitzungen',
    heads: { place: 'Browser', actions: 'Aktionen' },
    browser: (name, system) => (system === undefined ? name : `${name} unter ${system}`),
    now: 'jetzt',
    by: { mail: 'Angemeldet mit einem Link per E-Mail', passkey: 'Angemeldet mit einem Passkey' },
    here: 'dieser Browser',
    unknown: 'Ein anderes Programm',
    end: {
      action: 'Abmelden',
      title: 'Dort abmelden?',
      text: 'Diese Sitzung und die in ihr erstellten Admin-Sitzungen enden sofort.',
      confirm: 'Abmelden',
    },
  },
};
