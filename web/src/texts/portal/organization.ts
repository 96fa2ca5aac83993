import { translated } from '../language.ts';

/** Texts of the organization's own page. */
export const organizationTexts = translated('organizationTexts', {
  title: 'Organization',
  facts: 'About it',
  id: 'Identifier',
  status: 'Status',
  active: 'Active',
  pending: 'Set-up not finished: prove a domain',
  since: 'Created',
  name: {
    title: 'Name',
    label: 'Name of the organization',
    hint: 'Customers see it in their wallets, with your domain. Existing payment requests keep the name they were made with.',
    save: 'Save the name',
    saved: 'The name is saved.',
  },
  payeeRecords: {
    title: 'Payee records',
    optional:
      'Your domain need not name your payees. Anyone who reads the mail of a team member could add another payee under your domain. Publish the record of a payee, which its page shows, before you verify it.',
    required:
      'Your domain has to name every payee: a payee is verified only when its record is published. This cannot be switched off, not even by someone who reads your mail.',
    require: {
      action: 'Require payee records',
      title: 'Require a record for every payee?',
      text: 'From now on a payee is verified only when your domain publishes its record. Payees that are active stay active. This cannot be taken back.',
      confirm: 'Require them for good',
    },
  },
  fourEyes: {
    title: 'Two owners for important changes',
    on: 'Activating and archiving payees, deleting domains and changes of team members need a second owner. So does switching this off.',
    off: 'One owner alone can activate and archive payees, delete domains and change team members. It takes two active owners to require a second one.',
    require: {
      action: 'Require two owners',
      title: 'Require two owners?',
      text: 'From now on these changes need another owner’s approval, within 24 hours. So does switching this off.',
      confirm: 'Require two owners',
    },
    lift: {
      action: 'Switch this off',
      title: 'Request to switch this off?',
      text: 'Nothing changes until another owner approves it.',
      confirm: 'Send the request',
    },
  },
  sessions: {
    title: 'Your sessions',
    lead: 'You are signed in until this moment at the latest:',
    everywhere: {
      action: 'Sign out everywhere',
      title: 'Sign out everywhere?',
      text: 'Every session of yours ends immediately, in all browsers and in all of your organizations, with the admin sessions that they made. API keys that you made with an admin session, or in the last 24 hours, end too: after a theft they may not be yours. Agents, webhooks and older API keys continue to work.',
      confirm: 'Sign out everywhere',
    },
  },
});
