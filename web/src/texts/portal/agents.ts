import { translated } from '../language.ts';

/** Texts of the last calls of an agent. */
export const callTexts = translated('callTexts', {
  title: 'Last calls',
  lead: 'What this agent called in the last seven days, newest first, within seconds. Bodies are not kept.',
  table: 'Last calls',
  heads: { when: 'When', operation: 'Call', status: 'Status', took: 'Took', id: 'Request id' },
  ms: (ms: number) => `${ms} ms`,
  empty: { title: 'No call yet', text: 'As soon as the agent calls the service, its calls are listed here.' },
});

/** Texts of agents and their keys. */
export const agentTexts = translated('agentTexts', {
  title: 'Agents',
  lead: 'An agent is a program of yours that requests payments from customers. It can do nothing until a customer has connected it to a wallet, and each payment is approved there.',
  table: 'Your agents',
  heads: { name: 'Name', status: 'Status', environment: 'Environment', since: 'Registered' },
  statuses: { pending: 'Not active yet', active: 'Active', suspended: 'Suspended', revoked: 'Revoked' },
  create: 'Register an agent',
  empty: {
    title: 'No agent yet',
    text: 'Register the program that will request payments: a name, what it may do, and a key that is made in your browser. Afterwards you get what to give to your developer.',
  },
  form: {
    title: 'Register an agent',
    back: 'All agents',
    name: 'Name',
    nameHint: 'Customers read it when they connect the agent. Name what it does for them.',
    runtime: 'Runs on',
    runtimeHint: 'For your own orientation, for example node or python.',
    environment: 'Environment',
    environmentHint: 'A word of your choice, for example test.',
    scopes: 'What it may do',
    scopesHint: 'Each customer sees this list and can allow less. Give only what the agent needs.',
    action: 'Register the agent',
  },
  scopes: {
    'payment.requests.create': {
      title: 'Request payments',
      text: 'Put payment requests into the wallet of a connected customer, who approves or rejects each one.',
    },
    'payment.requests.read': {
      title: 'See their outcome',
      text: 'Read the status of its payment requests, and be notified of changes.',
    },
    'transaction_contexts.create': {
      title: 'Explain a payment',
      text: 'Attach a description, such as an order, which the customer reads before deciding.',
    },
    'transaction_contexts.read': {
      title: 'Read its explanations',
      text: 'Read back the descriptions that it attached.',
    },
  },
  detail: {
    back: 'All agents',
    id: 'Agent identifier',
    status: 'Status',
    runtime: 'Runs on',
    environment: 'Environment',
    scopes: 'May request',
    proofs: 'Its tokens work',
    registered: 'Registered',
  },
  readiness: {
    ready: 'The agent can work: it is active and has a working key.',
    needsBoth: 'The agent cannot work yet. It needs a key and must be activated, in either order.',
    needsKey: 'The agent cannot work: it has no working key. Make one below.',
    needsActivation: 'The agent has a key, but is not active yet. Activate it.',
    suspended: 'The agent is suspended: each of its calls is rejected until you resume it.',
    revoked: 'The agent is revoked for good. Its keys, tokens and connections no longer work.',
  },
  change: {
    open: 'Change name or rights',
    name: 'Name',
    cut: 'Rights that you remove end immediately in every connection. Rights that you add must be allowed by each customer again.',
    save: 'Save the changes',
    saved: 'The changes are saved.',
  },
  proofs: {
    required: 'only together with its key',
    notRequired: 'for anyone who holds them',
    require: {
      action: 'Bind tokens to the key',
      title: 'Bind this agent’s tokens to its key?',
      text: 'Every call with a connection token then needs a proof that is signed with the agent’s key, so that a stolen token is worth nothing. The SDK sends proofs automatically when it has the key. Calls with the token alone are rejected from then on.',
      confirm: 'Bind the tokens',
    },
    release: {
      action: 'Let tokens work alone',
      title: 'Let this agent’s tokens work alone?',
      text: 'Anyone who holds a connection token, the customer’s wallet too, can then make requests in the name of the agent.',
      confirm: 'Let them work alone',
    },
  },
  acts: {
    activate: {
      action: 'Activate',
      title: 'Activate this agent?',
      text: 'With a working key it can then connect to customers and request payments.',
      confirm: 'Activate the agent',
    },
    suspend: {
      action: 'Suspend',
      title: 'Suspend this agent?',
      text: 'Each of its calls is rejected immediately. Connections stay and work again when you resume it.',
      confirm: 'Suspend the agent',
    },
    resume: {
      action: 'Resume',
      title: 'Resume this agent?',
      text: 'Its keys and connections work again immediately.',
      confirm: 'Resume the agent',
    },
    revoke: {
      action: 'Revoke',
      title: 'Revoke this agent for good?',
      text: 'It cannot be undone. Its tokens stop working immediately, its keys and connections are revoked, and pending requests are rejected.',
      confirm: 'Revoke for good',
    },
  },
});

export const keyTexts = translated('keyTexts', {
  title: 'Keys',
  lead: 'The agent signs in with a key. The service knows only its public half.',
  table: 'Keys of this agent',
  heads: { kid: 'Name (kid)', status: 'Status', until: 'Works until', since: 'Registered', acts: 'Actions' },
  statuses: {
    pending_proof: 'Not proved',
    active: 'Works',
    revoked: 'Revoked',
    expired: 'Expired',
  },
  noEnd: 'No end set',
  empty: 'This agent has no key yet.',
  revoke: {
    action: 'Revoke',
    title: 'Revoke this key?',
    text: 'It cannot be undone. Tokens that were made with it stop working immediately. The agent needs another key to continue.',
    confirm: 'Revoke the key',
  },
  make: {
    title: 'Make a key',
    lead: 'The key is made in this browser. Only its public half and one signature leave it. You then download the private half once, as a file.',
    kid: 'Name of the key (kid)',
    kidHint: 'It goes with every sign-in of the agent and can never be used again for another key.',
    action: 'Create the key',
    busy: 'Making and proving the key …',
  },
  download: {
    title: 'Download the private key now',
    text: 'It exists only on this page, and is gone when you leave or reload it. Give the file to the agent by a safe way, keep it out of mail, chat and repositories.',
    action: 'Download the private key',
    again: 'Download it again',
    forget: 'I have the file: delete the key here',
    saved: 'The file was handed to your browser. When it is there, delete the key on this page.',
    forgotten: 'This page no longer has the private key.',
    leave: {
      title: 'Leave without the private key?',
      text: 'It was not downloaded yet, exists only on this page, and is gone when you leave it.',
      confirm: 'Leave and lose the key',
    },
    lost: 'Lost it before it was saved? Revoke this key and make another one; nothing else is affected.',
  },
  handover: {
    title: 'What to give your developer',
    lead: 'Together with the key file, and nothing else. None of this is secret.',
    agentId: 'Agent identifier',
    kid: 'Name of the key (kid)',
    baseUrl: 'Base URL',
    sample: 'Sample: from the key file to a payment',
    sampleLabel: 'Sample for an agent in TypeScript',
    copySample: 'the sample',
    docs: 'API reference',
  },
});
