import type { Attempt } from '../run/history.ts';
import { type Evidence, finding, type Invariant, succeeded } from './evidence.ts';

/** Another party's id and an unknown id get the same response, which is 404. */
const foreignLooksAbsent: Invariant = ({ attempts }) => {
  const result = finding();
  const absent = new Map<string, Attempt>();
  for (const attempt of attempts)
    if (attempt.note?.startsWith('absent ')) absent.set(attempt.note.slice('absent '.length), attempt);
  for (const attempt of attempts) {
    if (!attempt.note?.startsWith('foreign ') || !attempt.answer) continue;
    const { status, body } = attempt.answer;
    const where = () => `${attempt.method} ${attempt.path} by ${attempt.actor}`;
    result.expect(status >= 400, () => `${where()} returned ${status}`);
    const other = absent.get(attempt.note.slice('foreign '.length))?.answer;
    // A credential that was revoked in between, or a service that was unavailable, proves nothing about the id.
    if (!other || status !== 404 || other.status !== 404) continue;
    result.expect(plain(body) === plain(other.body), () => `${where()} distinguishes a foreign id from none`);
  }
  return result;
};

/** Without what is made again for every response. */
function plain(body: unknown): string {
  return JSON.stringify(body, (name, value) =>
    name === 'request_id' || name === 'timestamp' ? undefined : value,
  );
}

/** Everything that was shown in a list or a read belongs to the caller it was shown to. */
const nothingAcrossTenants: Invariant = (evidence) => {
  const result = finding();
  const owners = ownersOf(evidence);
  const viewers = viewersOf(evidence);
  for (const attempt of evidence.attempts) {
    if (!succeeded(attempt) || attempt.credential === undefined) continue;
    const viewer = viewers.get(attempt.credential);
    if (!viewer) continue;
    for (const { kind, id } of shownIn(attempt)) {
      const found = owners.get(`${kind} ${id}`) ?? [];
      const isOwn = found.some((owner) => owner[viewer.by] === viewer.id);
      result.expect(
        isOwn || found.length === 0,
        () => `${kind} ${id} was shown to ${viewer.by} ${viewer.id} (call ${attempt.n})`,
      );
    }
  }
  return result;
};

type Owner = { merchant?: string; wallet?: string; connection?: string; agent?: string };

function ownersOf({ tables }: Evidence): Map<string, Owner[]> {
  const owners = new Map<string, Owner[]>();
  const add = (name: string, owner: Owner) => owners.set(name, [...(owners.get(name) ?? []), owner]);
  const agentOf = new Map(tables.connections.map((row) => [row.connection_id, row.agent_id]));
  for (const row of tables.payment_requests) {
    add(`request ${row.connection_id} ${row.request_id}`, {
      merchant: row.merchant_id,
      wallet: row.wallet_id,
      connection: row.connection_id,
    });
  }
  for (const row of tables.connections)
    add(`connection ${row.connection_id}`, {
      merchant: row.merchant_id,
      wallet: row.wallet_id,
      agent: row.agent_id,
      connection: row.connection_id,
    });
  for (const row of tables.recipients) add(`recipient ${row.recipient_id}`, { merchant: row.merchant_id });
  for (const row of tables.webhook_endpoints)
    add(`endpoint ${row.webhook_endpoint_id}`, { merchant: row.merchant_id });
  for (const row of tables.webhook_deliveries)
    add(`delivery ${row.delivery_id}`, { merchant: row.merchant_id });
  for (const row of tables.agent_payments)
    add(`payment ${row.agent_payment_id}`, {
      merchant: row.merchant_id,
      wallet: row.wallet_id,
      agent: row.agent_id,
    });
  for (const row of tables.automation_policies)
    add(`policy ${row.policy_id}`, {
      merchant: row.merchant_id,
      wallet: row.wallet_id,
      agent: agentOf.get(row.connection_id) ?? '',
    });
  return owners;
}

interface Viewer {
  by: keyof Owner;
  id: string;
}

/** The owner of a credential, according to the response that issued it. */
function viewersOf({ attempts, tables }: Evidence): Map<string, Viewer> {
  const viewers = new Map<string, Viewer>();
  const walletOf = new Map(tables.devices.map((row) => [row.device_id, row.wallet_id]));
  for (const attempt of attempts) {
    const { answer, path, sent } = attempt;
    if (!answer || answer.status >= 300 || answer.body === null) continue;
    const { body } = answer;
    const device = body.device?.device_id ?? (path.endsWith('/rotate-token') ? sent?.device_id : undefined);
    if (body.token && device) viewers.set(body.token, { by: 'wallet', id: walletOf.get(device) ?? '' });
    if (body.connection_token && body.connection)
      viewers.set(body.connection_token, { by: 'connection', id: body.connection.connection_id });
    if (path === '/v1/api-keys' && body.api_key)
      viewers.set(body.api_key, { by: 'agent', id: body.agent_id });
    if (path === '/v1/merchant-sessions' && answer.cookie)
      viewers.set(answer.cookie, { by: 'merchant', id: body.merchant.merchant_id });
  }
  return viewers;
}

interface RequestName {
  connection_id: string;
  request_id: string;
}

function requestsIn(body: {
  payment_requests?: RequestName[];
  payment_request?: RequestName;
}): RequestName[] {
  return body.payment_requests ?? (body.payment_request ? [body.payment_request] : []);
}

function* shownIn({ answer, path }: Attempt): Generator<{ kind: string; id: string }> {
  const body = answer?.body;
  if (!body) return;
  const lists: [string, string, unknown][] = [
    ['connection', 'connection_id', body.connections ?? (body.connection && [body.connection])],
    ['recipient', 'recipient_id', body.recipients ?? (body.recipient && [body.recipient])],
    ['endpoint', 'webhook_endpoint_id', body.webhook_endpoints],
  ];
  // Ids are only unique within a connection.
  for (const { connection_id, request_id } of requestsIn(body))
    yield { kind: 'request', id: `${connection_id} ${request_id}` };
  for (const [kind, member, records] of lists)
    if (Array.isArray(records)) for (const record of records) yield { kind, id: record[member] };
  for (const id of body.webhook_deliveries ?? []) yield { kind: 'delivery', id };
  const second = path.startsWith('/v1/agent-payments')
    ? 'payment'
    : path.startsWith('/v1/automation-policies')
      ? 'policy'
      : undefined;
  if (!second || !body.data) return;
  for (const id of body.data.items ?? [body.data.id]) yield { kind: second, id };
}

export const TENANT_RULES = {
  'foreign is indistinguishable from absent': foreignLooksAbsent,
  'nothing visible across tenants': nothingAcrossTenants,
};
