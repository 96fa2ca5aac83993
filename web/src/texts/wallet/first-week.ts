import { translated } from '../language.ts';

/** What is offered once the first agent is connected. */
export const firstWeek = translated('firstWeek', {
  title: 'Two things before the first payment',
  dismiss: 'Not now',
  lock: {
    what: 'No one but you approves on this device.',
    action: 'Lock with a passkey',
    pin: 'Set a PIN',
    done: 'This device asks for you before it approves.',
  },
  notifications: {
    what: 'You learn of a request while the wallet is closed.',
    action: 'Notify me',
    done: 'You are notified when something waits.',
  },
});
