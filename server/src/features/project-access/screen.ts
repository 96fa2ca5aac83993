import { isId, type Scope, SECOND_SURFACE_NETWORK } from '@payassent/protocol';
import { ofMerchant } from '../../db/layout.ts';
import type { Database, Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { effectiveScopes } from '../callers/connection-token.ts';
import { isMainnetName, mainnetRefusal, refuseNamedMainnet } from './mainnet.ts';
import { ID_COLUMNS, type OwnedTable } from './owned.ts';
import { inReach, type ProjectCaller, type Reach, reachOf } from './reach.ts';

export interface ScreenedInput extends ProjectCaller {
  context: { db: Database };
  params: Readonly<Record<string, string>>;
  body: Record<string, unknown>;
  query: Record<string, unknown>;
}

/** For calls that can only name a mainnet. */
export function screenNames({ body, query }: Pick<ScreenedInput, 'body' | 'query'>): void {
  refuseNamedMainnet(body, query);
}

/**
 * For calls whose body can also imply one: by a payee on a mainnet, or by a connection whose agent works in a mainnet
 * environment. The body has not been validated yet, so everything else in it may be wrong.
 *
 * A key also needs the scope on the connection, and that is checked first.
 */
export async function screenNamesAndReferences(input: ScreenedInput): Promise<void> {
  const { db } = input.context;
  const reach = reachOf(input);
  const connectionId = input.body['connection_id'];
  const grant = isId('con', connectionId)
    ? await grantOf(db, reach, { table: 'connections', id: connectionId })
    : undefined;
  refuseKeyWithoutScope(input, grant);
  await screenReferences(input, reach, grant);
}

/** For calls of a key that name a payment or a policy in their path: the scope of its connection, then the names. */
export function screenOwned(table: OwnedTable) {
  return async (input: ScreenedInput): Promise<void> => {
    const reach = reachOf(input);
    if (input.principal.kind === 'api_key') {
      const { id = '' } = input.params;
      refuseKeyWithoutScope(input, await grantOf(input.context.db, reach, { table, id }));
    }
    await screenReferences(input, reach, undefined);
  };
}

async function screenReferences(input: ScreenedInput, reach: Reach, grant: Grant | undefined): Promise<void> {
  screenNames(input);
  const recipients = recipientsIn(input.body);
  if (recipients.size > 0) {
    for (const row of await findNetworks(input.context.db, reach, [...recipients.keys()])) {
      if (row.network !== SECOND_SURFACE_NETWORK)
        throw mainnetRefusal(recipients.get(row.recipient_id) ?? 'recipient_id');
    }
  }
  if (grant && isMainnetName(grant.environment)) throw mainnetRefusal('connection_id');
}

/** Payee ids in the body, each with its path. */
function recipientsIn(body: Record<string, unknown>): Map<string, string> {
  const found = new Map<string, string>();
  const note = (value: unknown, path: string) => {
    if (isId('rcp', value)) found.set(value, path);
  };
  note(body['recipient_id'], 'recipient_id');
  const allowlist = body['allowlist'];
  if (Array.isArray(allowlist)) {
    for (const [index, entry] of allowlist.entries()) {
      const id = (entry as { recipient_id?: unknown } | null)?.recipient_id;
      note(id, `allowlist[${index}].recipient_id`);
    }
  }
  return found;
}

/** The network of each payee: by its active version, or by its newest while it has none. */
async function findNetworks(
  db: Database,
  reach: Reach,
  recipientIds: readonly string[],
): Promise<{ recipient_id: string; network: string }[]> {
  const merchants =
    reach.kind === 'wallet'
      ? db`(select c.merchant_id from connections c where c.wallet_id = ${reach.walletId})`
      : db`(${reach.merchantId}::id)`;
  return db<{ recipient_id: string; network: string }[]>`
    select r.recipient_id, v.network
    from recipients r
      join lateral (
        select v.network from recipient_versions v
        where v.recipient_id = r.recipient_id
        order by v.recipient_version_id = r.active_version_id desc nulls last, v.number desc limit 1
      ) v on true
    where r.recipient_id = any(${[...recipientIds]}::text[]) and r.merchant_id in ${merchants}`;
}

const NEEDED: Scope = 'payment.requests.create';

/** What a connection lets its agent do, and the agent's environment. */
interface Grant {
  scopes: Scope[];
  environment: string;
}

/** Undefined when the record is not within reach: its absence is reported later, the same to every caller. */
async function grantOf(
  sql: Sql,
  reach: Reach,
  /** Of a connection, or of a record that belongs to one. */
  { table, id }: { table: OwnedTable | 'connections'; id: string },
): Promise<Grant | undefined> {
  const idColumn = table === 'connections' ? 'connection_id' : ID_COLUMNS[table];
  const { merchantId } = reach;
  const machine = table === 'connections' || merchantId === undefined ? sql : ofMerchant(sql, merchantId);
  const [row] = await machine<Grant[]>`
    select a.environment, ${effectiveScopes(machine)} as scopes
    from ${machine(table)} o
      join connections c on c.merchant_id = o.merchant_id and c.connection_id = o.connection_id
      join agents a on a.merchant_id = c.merchant_id and a.agent_id = c.agent_id
    where o.${machine(idColumn)} = ${id} and ${inReach(machine, reach)}`;
  return row;
}

/**
 * A key reaches no further than its agent's connection token: without the scope it may do nothing. A key sent with a
 * human credential is checked only where it acts for the agent; otherwise the human decides.
 */
function refuseKeyWithoutScope(
  { principal, companion, body }: ProjectCaller & { body: Readonly<Record<string, unknown>> },
  grant: Grant | undefined,
): void {
  const speaks =
    principal.kind === 'api_key' || (companion !== undefined && body['initiated_by'] === 'agent');
  if (!speaks || !grant || grant.scopes.includes(NEEDED)) return;
  throw new AppError('insufficient_scope', {
    message: `This call needs the scope ${NEEDED} on the connection.`,
    details: { required_scope: NEEDED },
  });
}
