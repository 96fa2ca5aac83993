import type * as english from '../../wallet/danger.ts';
import type { Translated } from '../translated.ts';

export const danger: Translated<typeof english.danger> = {
  title: 'Gefahr: anders als Ihre früheren Zahlungen an diesen Zahlungsempfänger',
  imitation: 'Gefahr: sieht aus wie jemand, den Sie schon bezahlt haben, ist aber jemand anderes',
  address: 'Das Geld ginge an eine andere Adresse. Bisher ging es an:',
  network: (before) => `Das Netzwerk ist ein anderes. Es war ${before}.`,
  asset: (before) => `Das Asset ist ein anderes. Es war ${before}.`,
  issuer: 'Das Asset hat denselben Namen, aber einen anderen Herausgeber. Er war:',
  contract: 'Das Asset hat denselben Namen, aber einen anderen Token-Vertrag. Er war:',
  memo: 'Das Memo ist ein anderes, das Geld kann also auf einem anderen Konto landen. Es war:',
  amount: (highest, times) =>
    `Der Betrag ist mindestens das ${times}-Fache des bisher höchsten (${highest}).`,
  none: 'keines',
  advice:
    'Fragen Sie den Zahlungsempfänger, bevor Sie zahlen, und zwar nicht über diesen Agenten: Rufen Sie eine Nummer an, die Sie kennen.',
  confirm: 'Ich habe das geprüft und möchte zahlen',
};

export const checks: Translated<typeof english.checks> = {
  missing: (checks) =>
    `Nicht geprüft: ${checks}. Sie können warten oder nach dem entscheiden, was Sie sehen.`,
  names: {
    log: 'das Transparenzlog',
    history: 'frühere Zahlungen an diesen Zahlungsempfänger',
    connections: 'der Agent',
  },
  checking: 'Zahlungsempfänger und frühere Zahlungen werden geprüft …',
  confirmFirst: 'Setzen Sie zuerst den Haken in der roten Warnung.',
};
