import { type Evidence, finding, type Invariant } from './evidence.ts';
import type { Tables } from './tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of every kind, as they were told
type Told = any;

interface Kind {
  /** Names under which answers carry it. */
  names: readonly string[];
  /** What is said against it; undefined when it is as it was told. */
  against(told: Told, index: Index): string | undefined;
}

type Index = ReturnType<typeof indexOf>;

/** Whatever a client was answered is there afterwards, at least as far along as it was told. */
const acknowledgedWritesPresent: Invariant = (evidence) => {
  const result = finding();
  const index = indexOf(evidence.tables);
  for (const { kind, told, n } of toldRecords(evidence)) {
    const against = kind.against(told, index);
    result.expect(against === undefined, () => `call ${n}: ${against}`);
  }
  return result;
};

function* toldRecords({ attempts }: Evidence): Generator<{ kind: Kind; told: Told; n: number }> {
  for (const { answer, n, path } of attempts) {
    if (!answer || answer.status >= 300 || answer.body === null) continue;
    const second = secondSurfaceKind(path);
    if (second && answer.body.data?.id !== undefined) yield { kind: second, told: answer.body.data, n };
    for (const kind of KINDS) {
      for (const name of kind.names) {
        const told = answer.body[name];
        if (Array.isArray(told)) for (const each of told) yield { kind, told: each, n };
        else if (told !== undefined && told !== null) yield { kind, told, n };
      }
    }
  }
}

function secondSurfaceKind(path: string): Kind | undefined {
  if (path.startsWith('/v1/agent-payments')) return PAYMENT;
  return path.startsWith('/v1/automation-policies') && !path.endsWith('/evaluate') ? POLICY : undefined;
}

function indexOf(tables: Tables) {
  const by = <T>(rows: readonly T[], name: (row: T) => string) =>
    new Map(rows.map((row) => [name(row), row]));
  return {
    requests: by(tables.payment_requests, (row) => `${row.connection_id} ${row.request_id}`),
    steps: by(
      tables.payment_request_events.filter((row) => row.settlement_state === null),
      (row) => `${row.connection_id} ${row.request_id} ${row.state_version}`,
    ),
    events: by(tables.payment_request_events, (row) => `${row.connection_id} ${row.sequence}`),
    connections: by(tables.connections, (row) => row.connection_id),
    contexts: by(tables.transaction_contexts, (row) => `${row.transaction_id} ${row.revision}`),
    recipients: by(tables.recipients, (row) => row.recipient_id),
    versions: by(tables.recipient_versions, (row) => row.recipient_version_id),
    devices: by(tables.devices, (row) => row.device_id),
    endpoints: by(tables.webhook_endpoints, (row) => row.webhook_endpoint_id),
    invitations: by(tables.connect_invitations, (row) => row.connect_invitation_id),
    merchants: by(tables.merchants, (row) => row.merchant_id),
    policies: by(tables.automation_policies, (row) => row.policy_id),
    payments: by(tables.agent_payments, (row) => row.agent_payment_id),
  };
}

const atLeast = (what: string, stored: number | undefined, told: number | undefined) => {
  if (stored === undefined) return `${what} is gone`;
  return told !== undefined && stored < told ? `${what} was at ${told} and is at ${stored}` : undefined;
};

const KINDS: readonly Kind[] = [
  {
    names: ['payment_request', 'payment_requests'],
    against(told, { requests, steps }) {
      const name = `${told.connection_id} ${told.request_id}`;
      const row = requests.get(name);
      const behind = atLeast(`request ${told.request_id}`, row?.state_version, told.state_version);
      if (behind !== undefined || told.state_version === 1) return behind;
      const step = steps.get(`${name} ${told.state_version}`);
      return step?.status === told.status
        ? undefined
        : `request ${told.request_id} was ${told.status} at ${told.state_version}, stored is ${step?.status}`;
    },
  },
  {
    names: ['event'],
    against(told, { events }) {
      const row = events.get(`${told.connection_id} ${told.sequence}`);
      return row?.event_id === told.event_id && row?.status === told.status
        ? undefined
        : `event ${told.event_id} (${told.sequence}) is gone`;
    },
  },
  {
    names: ['connection'],
    against(told, { connections }) {
      const row = connections.get(told.connection_id);
      if (!row) return `connection ${told.connection_id} is gone`;
      return told.status === 'revoked' && row.status !== 'revoked'
        ? `connection ${told.connection_id} was revoked and is ${row.status}`
        : undefined;
    },
  },
  {
    names: ['transaction_context'],
    against: (told, { contexts }) =>
      contexts.has(`${told.transaction_id} ${told.revision}`)
        ? undefined
        : `context ${told.transaction_id} revision ${told.revision} is gone`,
  },
  {
    names: ['recipient', 'recipients'],
    against: (told, { recipients }) =>
      atLeast(`recipient ${told.recipient_id}`, recipients.get(told.recipient_id)?.version, told.version),
  },
  {
    names: ['recipient_version'],
    against(told, { versions }) {
      const row = versions.get(told.recipient_version_id);
      if (!row) return `version ${told.recipient_version_id} is gone`;
      if (row.address !== told.address) return `version ${told.recipient_version_id} has another address`;
      return told.status === 'active' && row.activated_at === null
        ? `version ${told.recipient_version_id} was active and is not`
        : undefined;
    },
  },
  {
    names: ['device'],
    against: (told, { devices }) =>
      devices.has(told.device_id) ? undefined : `device ${told.device_id} is gone`,
  },
  {
    names: ['webhook_endpoint', 'webhook_endpoints'],
    against: (told, { endpoints }) =>
      atLeast(
        `endpoint ${told.webhook_endpoint_id}`,
        endpoints.get(told.webhook_endpoint_id)?.version,
        told.version,
      ),
  },
  {
    names: ['connect_invitation'],
    against: (told, { invitations }) =>
      invitations.has(told.connect_invitation_id)
        ? undefined
        : `invitation ${told.connect_invitation_id} is gone`,
  },
  {
    names: ['merchant'],
    against: (told, { merchants }) =>
      atLeast(`merchant ${told.merchant_id}`, merchants.get(told.merchant_id)?.version, told.version),
  },
];

const PAYMENT: Kind = {
  names: [],
  against: (told, { payments }) =>
    atLeast(`payment ${told.id}`, payments.get(told.id)?.state_version, told.state_version),
};

const POLICY: Kind = {
  names: [],
  against: (told, { policies }) => atLeast(`policy ${told.id}`, policies.get(told.id)?.version, told.version),
};

export const WRITE_RULES = {
  'acknowledged writes present': acknowledgedWritesPresent,
};
