import { translated } from '../language.ts';

/** Texts of signing in: requesting a link, opening it, choosing or creating an organization. */
export const signInTexts = translated('signInTexts', {
  request: {
    title: 'Sign in to the portal',
    lead: 'Enter your email address and we send you a link. It works once, for 15 minutes, for a new organization as well as for one you already have. There is no password.',
    email: 'Email address',
    emailHint: 'Whether the address is known here is never shown, only mailed.',
    send: 'Send me a link',
    sending: 'Sending …',
  },
  passkey: {
    action: 'Sign in with a passkey',
    none: 'No passkey was used. Try again, or request a link above.',
  },
  notes: {
    ended: {
      title: 'Your session has ended.',
      text: 'It ends after 30 minutes without use and after 12 hours at the latest, or when an owner signs you out. What you had saved is kept. Request a new link to continue.',
    },
    'signed-out': { title: 'You are signed out.', text: 'Request a new link when you want to come back.' },
    'signed-out-everywhere': {
      title: 'You are signed out everywhere.',
      text: 'Every session of yours has ended, in all browsers. Request a new link when you want to come back.',
    },
    linkInvalid: {
      title: 'This link no longer works.',
      text: 'It has been used already, is older than 15 minutes, or a newer one was used. Request a new one below; nothing is lost.',
    },
    grantInvalid: {
      title: 'Your confirmation has expired.',
      text: 'It is older than ten minutes, or it was used already. If you had just created an organization, it is kept: open a new link and choose it.',
    },
    interrupted: {
      title: 'This page was opened without a link, or reloaded.',
      text: 'For your safety the link is not kept anywhere. If you were in the middle of setting up, request a new link: an organization that you had created is kept, and you continue where you stopped.',
    },
  },
  sent: {
    title: 'Check your mailbox',
    text: 'If mail can reach this address, a link is on its way to it:',
    hint: 'It usually takes less than a minute. Check the spam folder too. One address gets at most five links an hour: if none comes, try again in an hour. Open the link in this browser if you can; this page then continues automatically.',
    exhausted: (count: number, time: string) =>
      `More than ${count} links were requested here for this address within an hour, so the last one is not mailed. Use the newest link that has come, or request one after ${time}.`,
    again: 'Use another address',
    resend: 'Send another link',
  },
  confirm: {
    title: 'Confirm your email address',
    lead: 'You opened the link from our mail. It has not been used yet: that happens when you press the button.',
    hint: 'After that, neither this link nor an older one works again.',
    action: 'Continue',
    notYou: 'You did not request the link? Close this page; nothing has been changed.',
  },
  cancelPasskey: {
    title: 'Cancel a passkey',
    lead: 'A team member registered their first passkey. You opened the link that cancels it; nothing has happened yet.',
    hint: 'Ask the team member, and not by mail, whether it was them. If it was not, cancel it: the passkey is removed, and every session of the team member ends. They can sign in by mail again.',
    action: 'Cancel the passkey',
    done: 'The passkey is removed.',
    doneNext:
      'Every session of the team member has ended, and all owners get a mail. If a stranger did this, they can read that mailbox: have its password changed.',
    noLink: 'This page was opened without a link, or reloaded. Open the link in the mail again.',
    toPortal: 'To the portal',
  },
  choose: {
    title: 'Which organization?',
    lead: 'Your email address is confirmed. Choose where to sign in within ten minutes.',
    active: 'Active',
    pending: 'Set-up not finished',
    another: 'Create another organization',
  },
  found: {
    title: 'Create your organization',
    lead: 'Your email address is confirmed. Customers see this name in their wallets, with the domain that you prove next.',
    name: 'Name of the organization',
    nameHint: 'It can be changed later.',
    action: 'Create and sign in',
    back: 'Back to my organizations',
  },
  halfway: {
    title: 'Your organization is created',
    lead: 'Only signing in did not work yet. Try it again; the organization is kept in any case.',
    action: 'Sign in',
  },
});
