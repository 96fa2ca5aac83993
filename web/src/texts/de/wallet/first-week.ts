import type * as english from '../../wallet/first-week.ts';
import type { Translated } from '../translated.ts';

export const firstWeek: Translated<typeof english.firstWeek> = {
  title: 'Zwei Dinge vor der ersten Zahlung',
  dismiss: 'Jetzt nicht',
  lock: {
    what: 'Niemand außer Ihnen gibt auf diesem Gerät frei.',
    action: 'Mit Passkey sperren',
    pin: 'PIN festlegen',
    done: 'Dieses Gerät fragt nach Ihnen, bevor es freigibt.',
  },
  notifications: {
    what: 'Sie erfahren von einer Anfrage, auch wenn die Wallet geschlossen ist.',
    action: 'Benachrichtigen',
    done: 'Sie werden benachrichtigt, wenn etwas wartet.',
  },
};
