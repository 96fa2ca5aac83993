/** The groups of operations, each with what it is about. Every operation has the name of one as its tag. */
export const TAGS = {
  'Agent payments':
    'Payment intents under an automation policy, or by a person. Their envelope is `{success, data, …}`.',
  'Agent token': 'A short token for an agent, in exchange for an assertion that it signed.',
  'Agent credentials':
    'Public keys of agents, each proved by a signature; private keys never leave the agent.',
  Agents: 'The software that requests payments: its name, its scopes, whether it may act.',
  Audit: 'Every act that changed a right or a secret, as it was written down.',
  'Automation policies':
    'What an agent may pay without a decision on each: four thresholds that only the customer can put into force.',
  Catalogue: 'Published lists: error codes, audit event types and networks.',
  Connect: 'One-time keys by which a customer invites an agent, and what the agent claims with them.',
  Connections: 'Which agent may request what from which wallet, and with which token.',
  Domains: 'Domains that an organization has proved to be its own.',
  'Merchant accounts': 'Signing in by email, and sessions.',
  Merchants: 'The organization behind payees and agents.',
  Operations: 'For those who run the service.',
  Operators: 'The people who work for an organization, their roles and how they sign in.',
  Pairing: 'Connecting an agent to a wallet by a short code.',
  Payees: 'The payees that a connected agent may request payments to.',
  'Payment requests': 'What agents request, what wallets decide, and the outcome.',
  'Project access': 'API keys and admin sessions for agent payments.',
  Recipients: 'Payees: versioned facts, fixed once they are active.',
  'Transaction contexts': 'What a payment is for, in words and items for the person who decides.',
  'Wallet devices': "A customer's wallet and its devices.",
  Webhooks: 'Signed messages about what happened.',
} as const satisfies Record<string, string>;

export type Tag = keyof typeof TAGS;
