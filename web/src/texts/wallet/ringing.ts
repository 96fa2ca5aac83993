import { translated } from '../language.ts';

/** How the wallet makes itself heard. */
export const ringing = translated('ringing', {
  title: 'Ring this device',
  lead: 'Be told when something waits for you, also while this page is closed. The message says what kind of thing waits and how many, nothing else: no name, no amount. It is encrypted for this browser.',
  action: 'Ring this device',
  stop: 'Stop ringing',
  on: 'This device rings when something waits.',
  off: 'This device does not ring.',
  denied:
    'This browser blocks notifications from this page. Allow them in the settings of the browser, then try again.',
  failed: 'The push service of this browser cannot be reached. Try again later.',
  unsupported:
    'This browser cannot be rung. On an iPhone or iPad, add the wallet to the home screen and open it from there.',
  sound: 'Play a sound while the wallet is open',
});
