import { type Evidence, finding, type Invariant } from './evidence.ts';
import type { Tables } from './tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of every kind, as they were acknowledged
type Returned = any;

interface Kind {
  /** Names under which responses contain it. */
  names: readonly string[];
  /** The violation; undefined when the stored record matches the acknowledged one. */
  against(returned: Returned, index: Index): string | undefined;
}

type Index = ReturnType<typeof indexOf>;

/** Everything acknowledged to a client is there afterwards, at least at the acknowledged version. */
const acknowledgedWritesPresent: Invariant = (evidence) => {
  const result = finding();
  const index = indexOf(evidence.tables);
  for (const { kind, returned, n } of returnedRecords(evidence)) {
    const against = kind.against(returned, index);
    result.expect(against === undefined, () => `call ${n}: ${against}`);
  }
  return result;
};

function* returnedRecords({ attempts }: Evidence): Generator<{ kind: Kind; returned: Returned; n: number }> {
  for (const { answer, n, path } of attempts) {
    if (!answer || answer.status >= 300 || answer.body === null) continue;
    const second = secondSurfaceKind(path);
    if (second && answer.body.data?.id !== undefined) yield { kind: second, returned: answer.body.data, n };
    for (const kind of KINDS) {
      for (const name of kind.names) {
        const returned = answer.body[name];
        if (Array.isArray(returned)) for (const each of returned) yield { kind, returned: each, n };
        else if (returned !== undefined && returned !== null) yield { kind, returned, n };
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

const atLeast = (what: string, stored: number | undefined, returned: number | undefined) => {
  if (stored === undefined) return `${what} is gone`;
  return returned !== undefined && stored < returned
    ? `${what} was at ${returned} and is at ${stored}`
    : undefined;
};

const KINDS: readonly Kind[] = [
  {
    names: ['payment_request', 'payment_requests'],
    against(returned, { requests, steps }) {
      const name = `${returned.connection_id} ${returned.request_id}`;
      const row = requests.get(name);
      const behind = atLeast(`request ${returned.request_id}`, row?.state_version, returned.state_version);
      if (behind !== undefined || returned.state_version === 1) return behind;
      const step = steps.get(`${name} ${returned.state_version}`);
      return step?.status === returned.status
        ? undefined
        : `request ${returned.request_id} was ${returned.status} at ${returned.state_version}, stored is ${step?.status}`;
    },
  },
  {
    names: ['event'],
    against(returned, { events }) {
      const row = events.get(`${returned.connection_id} ${returned.sequence}`);
      return row?.event_id === returned.event_id && row?.status === returned.status
        ? undefined
        : `event ${returned.event_id} (${returned.sequence}) is gone`;
    },
  },
  {
    names: ['connection'],
    against(returned, { connections }) {
      const row = connections.get(returned.connection_id);
      if (!row) return `connection ${returned.connection_id} is gone`;
      return returned.status === 'revoked' && row.status !== 'revoked'
        ? `connection ${returned.connection_id} was revoked and is ${row.status}`
        : undefined;
    },
  },
  {
    names: ['transaction_context'],
    against: (returned, { contexts }) =>
      contexts.has(`${returned.transaction_id} ${returned.revision}`)
        ? undefined
        : `context ${returned.transaction_id} revision ${returned.revision} is gone`,
  },
  {
    names: ['recipient', 'recipients'],
    against: (returned, { recipients }) =>
      atLeast(
        `recipient ${returned.recipient_id}`,
        recipients.get(returned.recipient_id)?.version,
        returned.version,
      ),
  },
  {
    names: ['recipient_version'],
    against(returned, { versions }) {
      const row = versions.get(returned.recipient_version_id);
      if (!row) return `version ${returned.recipient_version_id} is gone`;
      if (row.address !== returned.address)
        return `version ${returned.recipient_version_id} has another address`;
      return returned.status === 'active' && row.activated_at === null
        ? `version ${returned.recipient_version_id} was active and is not`
        : undefined;
    },
  },
  {
    names: ['device'],
    against: (returned, { devices }) =>
      devices.has(returned.device_id) ? undefined : `device ${returned.device_id} is gone`,
  },
  {
    names: ['webhook_endpoint', 'webhook_endpoints'],
    against: (returned, { endpoints }) =>
      atLeast(
        `endpoint ${returned.webhook_endpoint_id}`,
        endpoints.get(returned.webhook_endpoint_id)?.version,
        returned.version,
      ),
  },
  {
    names: ['connect_invitation'],
    against: (returned, { invitations }) =>
      invitations.has(returned.connect_invitation_id)
        ? undefined
        : `invitation ${returned.connect_invitation_id} is gone`,
  },
  {
    names: ['merchant'],
    against: (returned, { merchants }) =>
      atLeast(
        `merchant ${returned.merchant_id}`,
        merchants.get(returned.merchant_id)?.version,
        returned.version,
      ),
  },
];

const PAYMENT: Kind = {
  names: [],
  against: (returned, { payments }) =>
    atLeast(`payment ${returned.id}`, payments.get(returned.id)?.state_version, returned.state_version),
};

const POLICY: Kind = {
  names: [],
  against: (returned, { policies }) =>
    atLeast(`policy ${returned.id}`, policies.get(returned.id)?.version, returned.version),
};

export const WRITE_RULES = {
  'acknowledged writes present': acknowledgedWritesPresent,
};
