import { translated } from '../language.ts';

export const connections = translated('connections', {
  title: 'Connections',
  lead: 'Users who have connected your agents to their wallets. Only the user can pause or resume; you and the user can end a connection.',
  empty: {
    title: 'Nobody is connected yet',
    text: 'A user makes a Connect Key in the wallet and hands it to your agent, or types the agent’s pairing code. What they approve appears here.',
    action: 'Look at your agents',
  },
  table: 'Connections',
  heads: { user: 'User side', agent: 'Agent', status: 'Status', scopes: 'May', since: 'Since' },
  userSide: 'Wallet connection',
  scopes: {
    'payment.requests.create': 'ask for payments',
    'payment.requests.read': 'read its payment requests',
    'transaction_contexts.create': 'describe what a payment is for',
    'transaction_contexts.read': 'read its descriptions',
  } as Record<string, string>,
  statusMeaning: {
    active: 'The agent may ask, and the user decides about each request.',
    paused: 'The user has paused the agent: it cannot ask for anything new until the user resumes.',
    revoked: 'The connection has ended for good. The agent’s token is dead.',
  } as Record<string, string>,
  facts: {
    id: 'Connection',
    agent: 'Agent',
    status: 'Status',
    scopes: 'The agent may',
    merchant: 'The user sees',
    domain: 'with proved domain',
    noDomain: 'no proved domain',
    created: 'Connected',
    changed: 'Last change',
  },
  privacy:
    'The service tells you nothing else about the user: no name, no device, no address. This connection is all that your agent and you share with them.',
  detail: (agent: string) => `Connection of ${agent}`,
  detailTitle: 'Connection',
  notFound: {
    title: 'This connection is not in your list',
    text: 'It may belong to another organization, or the address is incomplete.',
    action: 'All connections',
  },
  requests: 'Payment requests of this connection',
  revoke: {
    action: 'End connection',
    title: 'End this connection for good?',
    text: 'The agent’s token dies at once, waiting requests are rejected and automation policies end. The user would have to connect again.',
    confirm: 'End it',
  },
});
