import { type Static, Type } from 'typebox';
import {
  AGENT_STATUSES,
  CONNECT_KEY_STATUSES,
  CONNECTION_STATUSES,
  CREDENTIAL_ALGORITHMS,
  CREDENTIAL_STATUSES,
  DEVICE_STATUSES,
  INVITATION_STATUSES,
  PAIRING_STATUSES,
  SCOPES,
  type Scope,
} from '../enumerations.ts';
import { PAIRING_CODE_PATTERN } from '../pairing.ts';
import { DecisionKeySummarySchema } from './decision.ts';
import {
  id,
  integer,
  nullableId,
  nullableText,
  nullableTime,
  oneOf,
  record,
  text,
  time,
  version,
} from './schema.ts';

function scopes() {
  return Type.Array(oneOf(SCOPES));
}

function nullableScopes() {
  return Type.Unsafe<Scope[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', enum: [...SCOPES] },
  });
}

export const AgentSchema = record('Agent', {
  agent_id: id('agt'),
  name: text(1, 200),
  runtime: text(1, 64),
  environment: text(1, 64),
  allowed_scopes: scopes(),
  status: oneOf(AGENT_STATUSES),
  require_proof: Type.Boolean(),
  version: version(),
  created_at: time(),
  updated_at: time(),
});
export type Agent = Static<typeof AgentSchema>;

export const CredentialSchema = record('Credential', {
  credential_id: id('crd'),
  agent_id: id('agt'),
  kid: Type.Unsafe<string>({ type: 'string', pattern: '^[ -~]{1,160}$' }),
  alg: oneOf(CREDENTIAL_ALGORITHMS),
  status: oneOf(CREDENTIAL_STATUSES),
  not_before: nullableTime(),
  expires_at: nullableTime(),
  created_at: time(),
});
export type Credential = Static<typeof CredentialSchema>;

export const DeviceSchema = record('Device', {
  device_id: id('dev'),
  wallet_id: id('wlt'),
  name: text(1, 200),
  platform: nullableText(),
  status: oneOf(DEVICE_STATUSES),
  decision_key: Type.Optional(Type.Union([DecisionKeySummarySchema, Type.Null()])),
  created_at: time(),
});
export type Device = Static<typeof DeviceSchema>;

export const ConnectKeySchema = record('ConnectKey', {
  connect_key_id: id('cky'),
  status: oneOf(CONNECT_KEY_STATUSES),
  created_at: time(),
  expires_at: time(),
});
export type ConnectKey = Static<typeof ConnectKeySchema>;

/** What the user must see before deciding: who asks, for whom, and for what. */
const requester = {
  requested_scopes: scopes(),
  approved_scopes: nullableScopes(),
  agent: Type.Object({ agent_id: id('agt'), name: text(), runtime: text() }),
  merchant: Type.Object({ name: text(), verified_domain: nullableText() }),
  connection_id: nullableId('con'),
  created_at: time(),
  expires_at: time(),
};

export const ConnectInvitationSchema = record('ConnectInvitation', {
  connect_invitation_id: id('inv'),
  status: oneOf(INVITATION_STATUSES),
  ...requester,
});
export type ConnectInvitation = Static<typeof ConnectInvitationSchema>;

export const PairingSessionSchema = record('PairingSession', {
  pairing_session_id: id('pair'),
  status: oneOf(PAIRING_STATUSES),
  poll_after_ms: integer(0),
  ...requester,
});
export type PairingSession = Static<typeof PairingSessionSchema>;

/** As its agent first sees it: later answers carry neither the code nor the URI. */
export const StartedPairingSessionSchema = record('StartedPairingSession', {
  ...PairingSessionSchema.properties,
  code: Type.Unsafe<string>({ type: 'string', pattern: PAIRING_CODE_PATTERN }),
  pairing_uri: Type.Unsafe<string>({ type: 'string', pattern: '^svc://pair\\?' }),
});
export type StartedPairingSession = Static<typeof StartedPairingSessionSchema>;

/** To the wallet alone: under which name the user knows it, until the present one was seen. */
function formerName() {
  return Type.Optional(text());
}

export const ConnectionSchema = record('Connection', {
  connection_id: id('con'),
  status: oneOf(CONNECTION_STATUSES),
  scopes: scopes(),
  agent: Type.Object({ agent_id: id('agt'), name: text(), former_name: formerName() }),
  merchant: Type.Object({ name: text(), verified_domain: nullableText(), former_name: formerName() }),
  created_at: time(),
  updated_at: time(),
});
export type Connection = Static<typeof ConnectionSchema>;
