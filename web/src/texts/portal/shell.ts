import { translated } from '../language.ts';

/** Texts around the pages of the portal. */
export const shellTexts = translated('shellTexts', {
  skip: 'Skip to the content',
  navigation: 'Areas of the portal',
  menu: 'Menu',
  signOut: 'Sign out',
  unreachableTitle: 'The service cannot be reached',
  pending: 'Set-up not finished',
  notFound: {
    title: 'There is no such page',
    text: 'The address may be mistyped, or the page has moved.',
    action: 'Go to the overview',
  },
  nameFaults: {
    line_end: 'Write the name on one line.',
    link: 'Leave out “://” and “www.”. A bare domain is fine.',
    at_sign: 'Leave out “@”.',
    claimed_domain:
      'Leave out “verified” or “official” next to a domain. Wallets show the domain that you proved.',
  },
  footer: 'PayAssent never asks for a key or a recovery phrase that money depends on, or for a password.',
  reference: 'API reference',
  waiting: 'waiting for you',
  otherRole: {
    title: 'Your role does not allow this',
    text: 'An owner of your organization can do it, or change your role under Team.',
  },
  pendingMerchant: {
    title: 'Prove a domain first',
    text: 'Your organization is pending. Until one of its domains is proved, nothing else can be created here.',
    action: 'Prove a domain',
  },
});
