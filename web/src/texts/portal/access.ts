import { translated } from '../language.ts';

export const access = translated('access', {
  title: 'API access',
  keys: {
    title: 'API keys',
    lead: 'An agent uses an API key for payments within an automation policy. A key belongs to one agent, works on the test network only, and can do no more than its agent.',
    table: 'API keys',
    heads: { name: 'Name', agent: 'Agent', created: 'Made', status: 'Status', actions: 'Actions' },
    empty: {
      title: 'No API key',
      text: 'Make one when an agent is to pay within a policy that a customer has accepted. Payment requests need no API key.',
    },
    noAgents: {
      title: 'An API key needs an agent',
      text: 'Register an agent first. The key then acts for that agent.',
      action: 'Register an agent',
    },
    create: 'New API key',
    name: 'Name',
    nameHint: 'For you, so that you know later which key to revoke.',
    agent: 'Agent',
    agentHint: 'The key acts for this agent and sees what concerns it.',
    make: 'Create the key',
    secretName: 'API key',
    send: 'The agent sends it as the header x-svc-api-key.',
    done: 'I have stored it',
    revoke: {
      action: 'Revoke',
      title: 'Revoke this key?',
      text: 'Whatever still uses it is refused from this moment on. This cannot be undone.',
      confirm: 'Revoke it',
    },
  },
  admin: {
    title: 'Admin session for scripts',
    lead: 'A token for one hour with which your own scripts act as you on agent payments and policies. It ends with the sign-in that made it.',
    make: 'Make an admin session',
    secretName: 'Admin session token',
    send: 'Send it as Authorization: Bearer.',
    until: 'Works until',
    end: 'End it now',
    ended: 'The admin session has ended.',
    hidden: 'The service does not list admin sessions. Sign out to end all that this sign-in made.',
  },
});
