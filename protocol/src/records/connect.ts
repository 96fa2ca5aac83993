import type { Static } from 'typebox';
import {
  AGENT_STATUSES,
  AUTOMATION_POLICY_STATUSES,
  CONNECT_KEY_STATUSES,
  CONNECTION_STATUSES,
  CREDENTIAL_ALGORITHMS,
  CREDENTIAL_STATUSES,
  DEVICE_STATUSES,
  INVITATION_STATUSES,
  NETWORKS,
  PAIRING_STATUSES,
  PENDING_CHANGE_STATUSES,
  SCOPES,
  type Scope,
  WALLET_CHANGE_ACTS,
} from '../enumerations.ts';
import { PAIRING_CODE_PATTERN } from '../pairing.ts';
import { DecisionKeySummarySchema } from './decision.ts';
import {
  flag,
  id,
  integer,
  nullableId,
  nullableInteger,
  nullableText,
  nullableTime,
  oneOf,
  pattern,
  record,
  Type,
  text,
  time,
  version,
} from './schema.ts';

function scopes(description: string) {
  return Type.Array(Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] }), { description });
}

function nullableScopes(description: string) {
  return Type.Unsafe<Scope[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', enum: [...SCOPES] },
    description,
  });
}

export const AgentSchema = record('Agent', 'Software of a merchant that requests payments from customers.', {
  agent_id: id('agt', 'The agent.'),
  name: text('What operators and customers see.', 200),
  runtime: text('What the agent runs on; shown to customers.', 64),
  environment: text("The merchant's own word for where it runs, such as `test`.", 64),
  allowed_scopes: scopes('What the agent may request from customers.'),
  status: oneOf(AGENT_STATUSES, 'Whether the agent may act. `revoked` is final.'),
  require_proof: flag(
    'Whether every call with a connection token of this agent needs a DPoP proof signed by one of its keys.',
  ),
  version: version(),
  created_at: time('When the agent was registered.'),
  updated_at: time('When the record last changed.'),
});
export type Agent = Static<typeof AgentSchema>;

export const CredentialSchema = record('Credential', 'A public key with which an agent signs assertions.', {
  credential_id: id('crd', 'The credential.'),
  agent_id: id('agt', 'The agent that it belongs to.'),
  kid: pattern('^[ -~]{1,160}$', 'Names the key in assertions; unique per agent and never reused.'),
  alg: oneOf(CREDENTIAL_ALGORITHMS, 'The signature algorithm.'),
  status: oneOf(CREDENTIAL_STATUSES, 'Only an `active` credential can sign; it must be proved first.'),
  not_before: nullableTime('The key works from this instant on; null means from its activation.'),
  expires_at: nullableTime('The key works up to and including this instant; null means without an end.'),
  created_at: time('When the key was registered.'),
});
export type Credential = Static<typeof CredentialSchema>;

export const DeviceSchema = record('Device', "One device of a customer's wallet.", {
  device_id: id('dev', 'The device.'),
  wallet_id: id('wlt', 'The wallet that it belongs to.'),
  name: text('What the customer calls the device.', 200),
  platform: nullableText('What it runs on, such as `ios`; null when it was not stated.'),
  status: oneOf(DEVICE_STATUSES, 'A `revoked` device has no right any more.'),
  decision_key: Type.Optional(
    Type.Union([DecisionKeySummarySchema, Type.Null()], {
      description: 'The key with which it signs decisions; null when it has none.',
    }),
  ),
  has_push: flag('Whether it gets notifications.'),
  created_at: time('When the device was enrolled.'),
});
export type Device = Static<typeof DeviceSchema>;

export const PendingChangeSchema = record(
  'PendingChange',
  "A change of a wallet's keys that no key of the wallet has authorized. It takes effect after 24 hours unless a device cancels it.",
  {
    change_id: id('chg', 'The change.'),
    act: oneOf(WALLET_CHANGE_ACTS, 'What it does.'),
    device_id: nullableId('dev', 'The device that it is about; null for a recovery code.'),
    requested_by: id('dev', 'The device that requested it.'),
    created_at: time('When it was requested.'),
    takes_effect_at: time('When it takes effect, unless a device cancels it before.'),
    status: oneOf(
      PENDING_CHANGE_STATUSES,
      '`lapsed`: the device or key is gone, or the same was done with an authorization.',
    ),
  },
);
export type PendingChange = Static<typeof PendingChangeSchema>;

export const ConnectKeySchema = record(
  'ConnectKey',
  'A one-time key that a customer gives to an agent. It lets the agent request a connection; it approves nothing.',
  {
    connect_key_id: id('cky', 'The record of the key, not the key itself.'),
    status: oneOf(CONNECT_KEY_STATUSES, 'Only an `issued` key can be claimed, once.'),
    created_at: time('When the key was made.'),
    expires_at: time('From this instant on the key can no longer be claimed.'),
  },
);
export type ConnectKey = Static<typeof ConnectKeySchema>;

/** What the customer must see before deciding: who requests it, for whom, and for what. */
const requester = {
  requested_scopes: scopes('What the agent requests.'),
  approved_scopes: nullableScopes('What the customer approved; null before the approval.'),
  agent: Type.Object(
    {
      agent_id: id('agt', 'The agent.'),
      name: text('Its name.'),
      runtime: text('What it runs on.'),
    },
    { title: 'RequestingAgent', description: 'The requesting agent.' },
  ),
  merchant: Type.Object(
    {
      name: text('What the organization calls itself; not verified.'),
      verified_domain: nullableText('A domain that the organization has proved; null when it has none.'),
    },
    { title: 'RequestingMerchant', description: 'The organization that the agent acts for.' },
  ),
  connection_id: nullableId('con', 'The connection that came of it; null before.'),
  created_at: time('When the agent requested it.'),
  expires_at: time('From this instant on it can no longer be approved.'),
};

export const ConnectInvitationSchema = record(
  'ConnectInvitation',
  'An agent that claimed a Connect Key and waits for the decision of the customer.',
  {
    connect_invitation_id: id('inv', 'The invitation.'),
    status: oneOf(INVITATION_STATUSES, 'What the customer decided, and whether the agent has exchanged it.'),
    ...requester,
  },
);
export type ConnectInvitation = Static<typeof ConnectInvitationSchema>;

export const PairingSessionSchema = record(
  'PairingSession',
  'An agent that shows a short code and waits for a customer to enter it in the wallet.',
  {
    pairing_session_id: id('pair', 'The session.'),
    status: oneOf(
      PAIRING_STATUSES,
      'What the customer decided; `completed` after the first use of the token, or once the agent has collected its own.',
    ),
    poll_after_ms: integer('How long to wait before the next poll, in milliseconds.'),
    ...requester,
  },
);
export type PairingSession = Static<typeof PairingSessionSchema>;

/** As its agent first receives it: later responses contain neither the code nor the URI. */
export const StartedPairingSessionSchema = record(
  'StartedPairingSession',
  'A new pairing session with the code and the URI to show to the customer. No later response repeats them.',
  {
    ...PairingSessionSchema.properties,
    code: pattern(PAIRING_CODE_PATTERN, 'What the customer types into the wallet.'),
    pairing_uri: pattern('^svc://pair\\?', 'The same as a URI, to be shown as a QR code.'),
  },
);
export type StartedPairingSession = Static<typeof StartedPairingSessionSchema>;

/** To the wallet alone: under which name the customer knows it, until the present one was seen. */
const formerName = Type.Optional(
  text('To the wallet only, after a rename: the name that the customer knows, until the new one was seen.'),
);

export const ConnectionSchema = record(
  'Connection',
  'The permission of one customer for one agent: which agent may request what from which wallet.',
  {
    connection_id: id('con', 'The connection.'),
    status: oneOf(
      CONNECTION_STATUSES,
      'While `paused` the agent can read but request nothing. `revoked` is final.',
    ),
    scopes: scopes('What the customer approved, without what the agent has lost since.'),
    agent: Type.Object(
      { agent_id: id('agt', 'The agent.'), name: text('Its name.'), former_name: formerName },
      { description: 'The connected agent.' },
    ),
    merchant: Type.Object(
      {
        name: text('What the organization calls itself; not verified.'),
        verified_domain: nullableText('A domain that the organization has proved; null when it has none.'),
        former_name: formerName,
      },
      { description: 'The organization that the agent acts for.' },
    ),
    created_at: time('When the connection was made.'),
    updated_at: time('When the record last changed.'),
  },
);
export type Connection = Static<typeof ConnectionSchema>;

export const PolicySummarySchema = record('PolicySummary', 'A policy of the connection, in short.', {
  id: id('pol', 'The policy.'),
  status: oneOf(AUTOMATION_POLICY_STATUSES, 'Whether it is in force; a draft awaits the customer.'),
  network: oneOf(NETWORKS, 'The network on which it allows payments.'),
  asset: text('In what.'),
  remaining: nullableText('How much may still be paid under it; null while it has no limit.'),
});
export type PolicySummary = Static<typeof PolicySummarySchema>;

export const CurrentConnectionSchema = record('CurrentConnection', 'The connection of the calling agent.', {
  connection: ConnectionSchema,
  effective_scopes: scopes('What the agent may do here at this moment.'),
  policies: Type.Array(PolicySummarySchema, {
    description: 'Those in force, paused or proposed; newest first.',
  }),
  wallet: Type.Object(
    {
      last_seen_at: nullableTime(
        'The last call of any of its devices, to the minute; null when there was none.',
      ),
      has_push: flag('Whether a message can be pushed to one of its devices.'),
    },
    { description: 'Whether the customer can be reached.' },
  ),
  limits: Type.Object(
    {
      pending: integer('Requests of this connection that await a decision.'),
      max_pending: nullableInteger('At most so many may; null without a limit.'),
    },
    { description: 'How much more may be requested.' },
  ),
});
export type CurrentConnection = Static<typeof CurrentConnectionSchema>;
