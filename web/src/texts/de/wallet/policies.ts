import type * as english from '../../wallet/policies.ts';
import type { Translated } from '../translated.ts';

export const policies: Translated<typeof english.policies> = {
  title: 'Regeln für automatische Zahlungen',
  intro:
    'Innerhalb von Grenzen, denen Sie zustimmen, brauchen Zahlungen eines Agenten keine eigene Freigabe: Diese Wallet zahlt sie automatisch, solange sie auf einem Gerät mit einem Testschlüssel geöffnet ist. Sie können das jederzeit pausieren oder beenden.',
  emptyTitle: 'Keine Regeln',
  empty:
    'Ein Agent oder sein Händler kann eine vorschlagen. Sie bewirkt nichts, bevor Sie hier ihre Grenzen gelesen und zugestimmt haben.',
  status: {
    draft: 'vorgeschlagen',
    active: 'aktiv',
    paused: 'pausiert',
    expired: 'abgelaufen',
    revoked: 'beendet',
  },
  open: 'Ansehen',
  review: 'Grenzen prüfen',
  reviewTitle: 'Regel',
  back: 'Alle Regeln',
  agent: 'Agent',
  sentence: {
    unasked: (amount) => `Zahlt, ohne Sie zu fragen, bis zu ${amount}`,
    heading: 'Was Sie erlauben würden',
    active: 'Was Sie erlaubt haben',
    single: (amount) => `Eine Zahlung darf höchstens ${amount} betragen.`,
    cumulative: (amount) =>
      `Alle Zahlungen zusammen dürfen höchstens ${amount} betragen. Die Summe wird nie zurückgesetzt.`,
    window: 'Sie gilt',
    from: 'von',
    until: 'bis',
    payees: 'Nur diese Zahlungsempfänger:',
    network: (network) => `Nur auf ${network}.`,
    issuer: 'Asset herausgegeben von',
    pinned:
      'Wenn ein Zahlungsempfänger seine Adresse ändert, folgt die Regel nicht: Sie müssten erneut zustimmen.',
    bare: 'Adresse ohne bestätigten Zahlungsempfänger',
    noMemo: 'nur ohne Memo',
    missingPayee:
      'Ein Zahlungsempfänger, der nicht benannt werden kann. Stimmen Sie nicht zu, bevor Sie wissen, wer es ist.',
  },
  missing: {
    title: 'Nicht vollständig',
    text: 'Sie können nicht zustimmen, bevor der Agent oder sein Händler Folgendes ausgefüllt hat:',
    single_tx_limit: 'die Grenze für eine Zahlung',
    cumulative_limit: 'die Grenze für alle Zahlungen',
    validity_window: 'die Zeit, in der sie gilt',
    allowlist: 'die Zahlungsempfänger',
  },
  usage: {
    title: 'Bisher genutzt',
    spent: 'Gezahlt',
    reserved: 'Unterwegs',
    remaining: 'Verbleibend',
    label: (used, limit) => `${used} von ${limit} genutzt`,
  },
  optIn: {
    action: 'Diesen Grenzen zustimmen',
    title: 'Zustimmen?',
    text: 'Sie stimmen genau den Grenzen auf dieser Seite zu. Ändert jemand sie, ruht die Regel, bis Sie erneut zustimmen.',
    agree: 'Ich habe die Grenzen und die Zahlungsempfänger gelesen',
    confirm: 'Zustimmen',
    since: 'Zugestimmt',
  },
  changed: {
    title: 'Nichts wurde angenommen',
    text: 'Diese Regel wurde geändert, nachdem Sie sie gelesen hatten. Lesen Sie, was jetzt hier steht; ein Zahlungsempfänger kann ein anderer sein.',
  },
  proposed: {
    title: 'Ein Zahlungsempfänger hat sich geändert',
    text: 'Die Regel zahlt nicht an einen Zahlungsempfänger, der sich geändert hat. Sie würde an diese zahlen, wenn Sie zustimmen:',
    agree: 'Ich habe die geänderten Zahlungsempfänger gelesen',
    action: 'Diesen Zahlungsempfängern zustimmen',
    confirmTitle: 'Den geänderten Zahlungsempfängern zustimmen?',
    confirmText:
      'Die Regel zahlt dann an die Zahlungsempfänger, wie sie hier stehen, innerhalb derselben Grenzen.',
    confirm: 'Zustimmen',
    isNew: 'geändert',
    note: 'Ein Zahlungsempfänger hat sich geändert und braucht Ihre Entscheidung.',
  },
  check: {
    action: 'Zahlungsempfänger prüfen',
    current: 'Alle Zahlungsempfänger sind so, wie Sie ihnen zugestimmt haben.',
  },
  automatic: {
    paid: (left, asset) => `Automatisch gezahlt, ${left} ${asset} verbleiben`,
    pause: 'Automatische Zahlungen pausieren',
    paused: 'Pausiert',
  },
  decline: {
    action: 'Ablehnen',
    title: 'Diese Regel ablehnen?',
    text: 'Sie erlaubt nichts und ist endgültig geschlossen. Der Agent oder sein Händler kann eine andere vorschlagen.',
    confirm: 'Ablehnen',
  },
  pause: 'Pausieren',
  resume: {
    action: 'Fortsetzen',
    confirm: 'Fortsetzen',
    title: 'Diese Regel fortsetzen?',
    text: 'Sie gilt wieder mit den Grenzen auf dieser Seite. Was genutzt wurde, bleibt genutzt.',
  },
  stop: {
    action: 'Endgültig beenden',
    title: 'Diese Regel endgültig beenden?',
    text: 'Der Agent kann unter ihr nichts mehr planen. Zahlungen, die unterwegs sind, werden nicht zurückgerufen. Sie kann nicht wieder gestartet werden.',
    confirm: 'Endgültig beenden',
  },
};
