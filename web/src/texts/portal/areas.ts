import { translated } from '../language.ts';

/** Names of the portal's areas, as navigation and headings use them. */
export const areaTexts = translated('areaTexts', {
  groups: { setup: 'Set up', activity: 'Activity', control: 'Control' },
  home: 'Overview',
  domains: 'Domains',
  recipients: 'Payees',
  agents: 'Agents',
  connections: 'Connections',
  paymentRequests: 'Payment requests',
  webhooks: 'Webhooks',
  access: 'API access',
  policies: 'Policies',
  audit: 'Audit trail',
  organization: 'Organization',
  team: 'Team',
  approvals: 'Approvals',
  safety: 'Your sign-in',
});
