import type * as english from '../../wallet/connect.ts';
import type { Translated } from '../translated.ts';

export const connect: Translated<typeof english.connect> = {
  title: 'Agenten verbinden',
  intro:
    'Es gibt zwei Wege. Bei beiden wird nichts verbunden, bevor Sie den Agenten gesehen und zugestimmt haben.',
  key: {
    title: 'Dem Agenten einen Connect Key geben',
    text: 'Mit dem Schlüssel bittet der Agent um eine Verbindung. Der Schlüssel ist keine Freigabe: Sie sehen, wer ihn verwendet hat, und entscheiden dann.',
    action: 'Connect Key erstellen',
    another: 'Weiteren erstellen',
    name: 'Connect Key',
    qr: 'Connect Key als QR-Code',
    once: 'Funktioniert einmal. Geben Sie ihn nur dem Agenten, den Sie verbinden wollen.',
    left: (time) => `Läuft ab in ${time}`,
    expired: 'Dieser Schlüssel ist abgelaufen und jetzt wertlos.',
    waiting: 'Warten, bis ein Agent den Schlüssel verwendet …',
    used: 'Ein Agent hat den Schlüssel verwendet und bittet um eine Verbindung.',
    review: 'Anfrage prüfen',
    withdraw: 'Zurückziehen',
    withdrawn: 'Der Schlüssel wurde zurückgezogen.',
  },
  pair: {
    title: 'Kopplungscode des Agenten eingeben',
    text: 'Der Agent zeigt einen Code aus acht Buchstaben, einen Link oder einen QR-Code.',
    label: 'Code oder Kopplungslink',
    placeholder: 'BCDF-GHJK',
    action: 'Agenten suchen',
    unreadable: 'Das ist weder ein Kopplungscode (acht Buchstaben wie BCDF-GHJK) noch ein Kopplungslink.',
    foreign: (origin) =>
      `Dieser Link gehört zu einem anderen Dienst (${origin}), nicht zu diesem. Öffnen Sie die Wallet dort.`,
    unknown:
      'Kein Agent wartet mit diesem Code. Vergleichen Sie ihn mit der Anzeige des Agenten; Codes gelten zehn Minuten.',
  },
  scanner: {
    title: 'QR-Code scannen',
    hint: 'Halten Sie den Code ins Bild. Es wird nichts aufgezeichnet oder gesendet.',
    video: 'Bild der Kamera',
    starting: 'Kamera wird gestartet …',
    none: 'Hier ist keine Kamera verfügbar.',
    whyNone:
      'Der Browser hat keine Kamera oder erlaubt sie dieser Seite nicht. Erlauben Sie die Kamera in den Einstellungen des Browsers für diese Seite, tippen Sie den Code ein oder fügen Sie den Link ein, der unter dem QR-Code steht.',
    wrong: 'Das ist ein QR-Code, aber keiner für diese Stelle.',
  },
};

export const invitations: Translated<typeof english.invitations> = {
  title: 'Verbindungsanfrage',
  former: 'Entschieden',
  emptyTitle: 'Kein Agent bittet um eine Verbindung',
  empty:
    'Wenn ein Agent Ihren Connect Key verwendet, erscheint er hier. Sie entscheiden, ob er Sie um Zahlungen bitten darf.',
  emptyAction: 'Agenten verbinden',
  agent: 'Agent',
  runtime: 'Läuft auf',
  merchant: 'Arbeitet für',
  domain: 'Bestätigte Domain',
  unverified: 'nicht bestätigt',
  unverifiedExplains:
    'Dieser Agent hat keine bestätigte Domain. Verbinden Sie sich nur, wenn Sie sicher wissen, wer Ihnen den Code gegeben hat.',
  namesExplain: 'Der Händler hat diese Namen gewählt. Nachgewiesen ist nur die Domain.',
  wants: 'möchte sich verbinden',
  rights: (chosen, all) => `Was er darf (${chosen} von ${all})`,
  asks: 'Er bittet um Erlaubnis für',
  expires: 'Entscheiden bis',
  choose: 'Sie können abwählen, was er nicht tun muss.',
  means: [
    'Er kann Sie um Zahlungen bitten. Sie entscheiden über jede, außer Sie stimmen später einer Regel zu, die zahlt, ohne Sie zu fragen.',
    'Er sieht nie einen Ihrer Schlüssel, und Sie können die Verbindung jederzeit beenden.',
  ],
  more: (count) =>
    count === 1
      ? 'Nach diesem fragt ein weiterer Agent an.'
      : `Nach diesem fragen ${count} weitere Agenten an.`,
  next: (count) => (count === 1 ? 'Nächste Anfrage prüfen' : `Nächste von ${count} Anfragen prüfen`),
  approve: 'Verbindung freigeben',
  reject: 'Ablehnen',
  needsOne: 'Kreuzen Sie mindestens eines an oder lehnen Sie ab.',
  approved: 'Freigegeben. Der Agent kann jetzt seinen Zugang abholen.',
  rejected: 'Abgelehnt. Der Agent bekommt nichts.',
  toAgents: 'Ihre Agenten ansehen',
  takeBack: {
    action: 'Zurücknehmen',
    title: 'Freigabe zurücknehmen?',
    text: 'Der Agent hat seinen Zugang noch nicht abgeholt. Wenn Sie die Freigabe zurücknehmen, bekommt er nichts und müsste erneut anfragen.',
    confirm: 'Zurücknehmen',
  },
};

export const scopeTexts: Translated<typeof english.scopeTexts> = {
  'payment.requests.create': {
    does: 'Sie um Zahlungen bitten',
    means:
      'Er kann Anfragen an Zahlungsempfänger seines Händlers in Ihren Eingang legen. Sie entscheiden über jede.',
  },
  'payment.requests.read': {
    does: 'Das Ergebnis seiner Anfragen sehen',
    means:
      'Er sieht, ob Sie seine Anfragen freigegeben, abgelehnt oder gezahlt haben, und nichts über andere Agenten.',
  },
  'transaction_contexts.create': {
    does: 'Beschreiben, wofür eine Zahlung ist',
    means:
      'Seine Worte stehen bei der Anfrage und sind als nicht bestätigt gekennzeichnet. Sie können Zahlungsempfänger, Adresse und Betrag nie ändern.',
  },
  'transaction_contexts.read': {
    does: 'Eigene Beschreibungen wieder lesen',
    means: 'Nur, was er selbst geschrieben hat.',
  },
};

export const invitationStatusTexts: Translated<typeof english.invitationStatusTexts> = {
  pending_approval: 'wartet auf Sie',
  approved: 'freigegeben',
  exchanged: 'verbunden',
  rejected: 'abgelehnt',
  expired: 'abgelaufen',
};

export const connections: Translated<typeof english.connections> = {
  title: 'Agenten',
  emptyTitle: 'Kein Agent ist verbunden',
  empty:
    'Verbinden Sie einen mit einem Connect Key oder einem Kopplungscode. Er kann Sie dann um Zahlungen bitten, aber nie selbst welche auslösen.',
  emptyAction: 'Agenten verbinden',
  may: 'Er darf',
  since: 'Verbunden',
  status: { active: 'aktiv', paused: 'pausiert', revoked: 'widerrufen' },
  former: 'Widerrufen',
  renamed: {
    agent: 'Dieser Agent wurde umbenannt. Sie kennen ihn als:',
    merchant: 'Die Organisation hinter diesem Agenten wurde umbenannt. Sie kennen sie als:',
    now: 'Der Name lautet jetzt:',
    seen: 'Ich habe den neuen Namen gesehen',
  },
  whoAsked: 'Frühere Verbindungsanfragen',
  pause: 'Pausieren',
  resume: 'Fortsetzen',
  pausedExplains:
    'Solange er pausiert ist, kann er keine neuen Anfragen stellen. Über frühere können Sie noch entscheiden.',
  rotate: {
    action: 'Zugang erneuern',
    title: 'Zugang des Agenten erneuern?',
    text: 'Der Zugang, den der Agent hat, funktioniert sofort nicht mehr. Der Agent selbst holt den neuen ab; wer den alten kopiert hat, ist ausgesperrt.',
    confirm: 'Erneuern',
    done: 'Erneuert. Der Agent holt seinen neuen Zugang automatisch ab.',
  },
  revoke: {
    action: 'Widerrufen',
    title: 'Diese Verbindung widerrufen?',
    consequences: [
      'Der Agent ist sofort und endgültig ausgesperrt. Er müsste neu verbunden werden.',
      'Offene Anfragen werden abgelehnt.',
      'Regeln dieses Agenten für automatische Zahlungen werden beendet.',
      'Freigegebene Zahlungen laufen weiter und können bis zum Ende gemeldet werden.',
    ],
    confirm: 'Endgültig widerrufen',
  },
};
