import { translated } from '../language.ts';

/** Notifications on this device. */
export const ringing = translated('ringing', {
  title: 'Notify me on this device',
  lead: 'Get a notification about pending requests, also while this page is closed. It contains kind and number, no name, no amount, and is encrypted for this browser.',
  action: 'Notify me on this device',
  stop: 'Stop notifications',
  on: 'This device is notified about pending requests.',
  off: 'This device gets no notifications.',
  denied:
    'This browser blocks notifications from this page. Allow them in the settings of the browser, then try again.',
  failed: 'The push service of this browser cannot be reached. Try again later.',
  unsupported:
    'This browser cannot receive notifications. On an iPhone or iPad, add the wallet to the home screen and open it from there.',
  sound: 'Play a sound while the wallet is open',
});
