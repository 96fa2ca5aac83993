import { translated } from '../language.ts';

/** The device's decision key. */
export const decisionKeys = translated('decisionKeys', {
  title: 'Decision key of this device',
  lead: 'It signs what you approve and reject on this device, together with what was on the screen. So no one, not even the host of this service, can claim a decision that you did not make.',
  kinds: {
    Ed25519: 'Key of this browser. No page and no script can read it.',
    webauthn: 'Passkey. Every decision asks for your finger, face or PIN.',
  },
  kind: 'Kind',
  thumbprint: 'Thumbprint',
  none: 'This browser cannot keep a key. Use a passkey, so that your decisions are signed.',
  unread: 'The key cannot be set up at the moment. It is tried again when the wallet opens.',
  usePasskey: {
    action: 'Use a passkey',
    title: 'Sign decisions with a passkey?',
    text: 'From now on every decision on this device asks for your finger, face or PIN. The browser asks twice: once to make the passkey, once to try it.',
    confirm: 'Make a passkey',
    refused: 'No passkey was used. Nothing has changed; try again when you are ready.',
    address: 'A browser offers passkeys only under a name. Open the wallet under this address:',
  },
  replace: {
    action: 'New key',
    title: 'Replace the key of this device?',
    text: 'The browser makes a new key and the old one signs nothing more. What it has signed stays verifiable.',
    confirm: 'Make a new key',
  },
  remove: {
    action: 'Remove key',
    title: 'Remove the key of this device?',
    text: 'This device then signs nothing more. While another device has a key, payments can be approved there only. What the key has signed stays verifiable.',
    confirm: 'Remove the key',
  },
  limit: {
    label: 'Passkey needed above this amount',
    hint: 'Applies to approvals on this device, whatever the asset. Leave it empty to need none.',
    invalid: 'Write a plain number such as 100 or 0.5.',
    save: 'Save',
    saved: 'Saved.',
    needed:
      'You have chosen that payments of this size need a passkey, and this device signs without one. Nothing was signed. Choose “Use a passkey” under Security.',
  },
  waiting: {
    title: 'Confirm this device on another one',
    text: 'The key of this device takes effect after 24 hours, unless a device of your wallet cancels it. It takes effect immediately when a device that already signs vouches for it: on that device open Devices, choose “Confirm another device”, and scan or paste this code:',
    name: 'confirmation request',
    qr: 'Confirmation request as a QR code',
    answer: 'Response of the other device',
    answerHint: 'It begins with key-answer:',
    take: 'Confirm this device',
    notACode: 'This is not a code that the other device shows.',
    keepFormer: 'Keep the previous key',
    short: 'This device cannot approve yet',
    shortText:
      'Its key takes effect after 24 hours, or when another device of your wallet vouches for it. Until then approve there; you can reject here.',
    link: 'Confirm this device',
  },
  endorse: {
    title: 'Confirm another device',
    how: 'A device that joins your wallet must be confirmed by one that is already in it. On the new device open Security; it shows a code that begins with key-request:',
    field: 'Code of the new device',
    unknown: 'No device of this wallet shows this code.',
    question: 'This lets the following device approve and reject payments in your name:',
    action: 'Confirm it',
    answer: 'Show this response to the new device:',
    name: 'response',
    qr: 'Response as a QR code',
  },
});
