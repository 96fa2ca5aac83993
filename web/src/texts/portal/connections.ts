import { translated } from '../language.ts';

export const connections = translated('connections', {
  title: 'Connections',
  lead: 'Customers who have connected your agents to their wallets. Only the customer can pause or resume; you and the customer can revoke a connection.',
  empty: {
    title: 'No customer is connected yet',
    text: 'A customer makes a Connect Key in the wallet and gives it to your agent, or types the agent’s pairing code. What they approve appears here.',
    action: 'See your agents',
  },
  table: 'Connections',
  heads: { user: 'Customer', agent: 'Agent', status: 'Status', scopes: 'May', since: 'Since' },
  userSide: 'Wallet connection',
  scopes: {
    'payment.requests.create': 'request payments',
    'payment.requests.read': 'read its payment requests',
    'transaction_contexts.create': 'describe what a payment is for',
    'transaction_contexts.read': 'read its descriptions',
  } as Record<string, string>,
  statusMeaning: {
    active: 'The agent may request payments, and the customer decides about each.',
    paused: 'The customer has paused the agent: it can make no new requests until the customer resumes.',
    revoked: 'The connection was revoked for good. The agent’s token no longer works.',
  } as Record<string, string>,
  facts: {
    id: 'Connection',
    agent: 'Agent',
    status: 'Status',
    scopes: 'The agent may',
    merchant: 'The customer sees',
    domain: 'with proved domain',
    noDomain: 'no proved domain',
    created: 'Connected',
    changed: 'Last change',
  },
  privacy:
    'The service shows you nothing else about the customer: no name, no address, and a device only where it signed a decision. This connection is all that your agent and you share with them.',
  detail: (agent: string) => `Connection of ${agent}`,
  detailTitle: 'Connection',
  notFound: {
    title: 'This connection is not in your list',
    text: 'It may belong to another organization, or the address is incomplete.',
    action: 'All connections',
  },
  requests: 'Payment requests of this connection',
  revoke: {
    action: 'Revoke connection',
    title: 'Revoke this connection for good?',
    text: 'The agent’s token stops working immediately, pending requests are rejected and automation policies end. The customer would have to connect again.',
    confirm: 'End it',
  },
});
