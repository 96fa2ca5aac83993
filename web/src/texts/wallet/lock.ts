import { translated } from '../language.ts';

/** The lock of this device: PIN or passkey before what only its owner may do. */
export const lock = translated('lock', {
  title: 'Lock before approvals',
  lead: 'Without a lock, anyone who holds this device unlocked can approve in it. With a lock the wallet asks for a PIN or a passkey before it approves a payment, shows the secret seed, adds a device, opts in to a policy, makes a new recovery code, or changes its keys or this lock. Rejecting needs neither.',
  now: {
    off: 'The lock is off.',
    pin: 'This wallet asks for a PIN.',
    passkey: 'This wallet asks for a passkey.',
  },
  kind: 'Lock of this device',
  kinds: { off: 'Off', pin: 'PIN', passkey: 'Passkey' },
  pin: {
    label: 'PIN',
    fresh: 'New PIN',
    hint: 'At least 6 digits. More are better.',
    keep: 'At least 6 digits. Leave it empty to keep the PIN.',
    again: 'Repeat the PIN',
    short: 'A PIN has at least 6 digits.',
    easy: 'This PIN is easy to guess. Choose another one.',
    differs: 'The two PINs differ.',
    explains: [
      'The PIN is stored nowhere. It encrypts the test key in this browser, so the wallet asks for it once after each start before that key signs. Automatic payments wait for that too.',
      'The key that signs your decisions is not encrypted, because rejecting needs no lock. Use a passkey as the decision key if a copy of this browser’s data must not be able to decide.',
    ],
    lost: (most: number) =>
      `After ${most} wrong PINs the test key in this browser is erased and this device must be enrolled again, with your recovery code or a link code. Keep the seed and the recovery code elsewhere.`,
  },
  passkey: {
    explains:
      'The browser asks for your finger, face or screen lock. Where your decisions are signed with a passkey, the same one is used and asks once. It encrypts nothing: the test key stays readable for anyone who can copy this browser’s data.',
    name: (device: string) => `${device} (wallet lock)`,
  },
  when: 'Lock before',
  whens: { always: 'Every payment', above: 'Payments above an amount' },
  above: (asset: string, network: string) => `Above this much ${asset} (${network})`,
  aboveHint: 'Empty: every payment of this asset needs it. Assets that are not listed always need it.',
  issuedBy: (asset: string, origin: string) => `${asset} of ${origin.slice(0, 4)}…${origin.slice(-4)}`,
  invalidAmount: 'Write a plain number such as 100 or 0.5.',
  save: 'Set this lock',
  saved: 'The lock is set.',
  shut: 'The test key in this browser is locked. Unlock it with your PIN first.',
  ask: {
    title: 'Is it you?',
    acts: {
      approve: 'Confirm that you approve this payment.',
      seed: 'Confirm that you want to see the secret seed.',
      testKey: 'Unlock the wallet to keep a test key in it.',
      link: 'Confirm that you want to add a device to your wallet.',
      endorse: 'Confirm that you vouch for another device.',
      decisionKey: 'Confirm that you want to change how decisions are signed.',
      optIn: 'Confirm that you accept this policy.',
      recovery: 'Confirm that you want a new recovery code.',
      change: 'Confirm that you want to change the lock.',
      unlock: 'Unlock the test key, so that automatic payments can be signed.',
    },
    action: 'Confirm',
    wrong: 'This is not the PIN. Nothing was done.',
    left: (left: number) =>
      `${left === 1 ? 'One attempt is left' : `${left} attempts are left`}. After that the test key in this browser is erased and this device must be enrolled again, with your recovery code or a link code.`,
    pause: (time: string) => `Wait ${time} before the next attempt.`,
    passkey: 'Waiting for your passkey …',
    refused: 'No passkey was used. Nothing was done.',
    lostPasskey:
      'If the passkey is lost, remove this device and join again with your recovery code or a link code.',
    again: 'Try again',
  },
  usedUp: {
    title: 'Too many wrong PINs',
    text: 'The test key in this browser was erased, and this device approves nothing more. You can still reject. To continue, leave the wallet on this browser and enrol it again, with your recovery code or a link code.',
    action: 'Leave the wallet',
    question: 'Leave the wallet on this browser?',
    confirm: 'Leave it',
  },
  waits: {
    title: 'Automatic payments wait for your PIN',
    text: 'After each start the test key in this browser must be unlocked once.',
    action: 'Unlock',
  },
});
