/** Texts of the organization's own page. */
export const organizationTexts = {
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
    hint: 'Customers see it in their wallets, beside your domain. Payment requests that exist already keep the name they were made with.',
    save: 'Save the name',
    saved: 'The name is saved.',
  },
  sessions: {
    title: 'Your sessions',
    lead: 'You are signed in until this moment at the latest:',
    everywhere: 'Sign out everywhere',
    everywhereTitle: 'Sign out everywhere?',
    everywhereBody:
      'Every session of yours ends at once, in all browsers and in all of your organizations, with the admin sessions that they made. API keys that you made with an admin session, or in the last 24 hours, end too: after a theft they may not be yours. Agents, webhooks and older API keys go on working.',
    everywhereConfirm: 'Sign out everywhere',
  },
} as const;
