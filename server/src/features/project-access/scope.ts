import type { Scope } from '@payassent/protocol';
import { ofMerchant } from '../../db/layout.ts';
import type { Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { effectiveScopes } from '../callers/connection-token.ts';
import { ID_COLUMNS, type OwnedTable } from './owned.ts';
import { inReach, type ProjectCaller, type Reach } from './reach.ts';

const NEEDED: Scope = 'payment.requests.create';

/** What a connection lets its agent do, and where that agent works. */
export interface Grant {
  scopes: Scope[];
  environment: string;
}

/** Undefined when the record is not within reach: what is absent is said later, and to everybody alike. */
export async function grantOf(
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
 * A key reaches no further than its agent's connection token: without the scope it asks for nothing. A key beside a
 * human credential is judged only where it speaks for the agent; otherwise the human decides.
 */
export function refuseKeyWithoutScope(
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
