import type { Scope } from '@payassent/protocol';
import type { Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { effectiveScopes } from '../callers/connection-token.ts';
import { inReach, type ProjectCaller, type Reach } from './reach.ts';

const NEEDED: Scope = 'payment.requests.create';

/** What a connection lets its agent do, and where that agent works. */
export interface Grant {
  scopes: Scope[];
  environment: string;
}

/** A record that belongs to a connection, or the connection itself. */
export interface OwnedRecord {
  table: 'connections' | 'agent_payments' | 'automation_policies';
  id: string;
}

const ID_COLUMNS: Record<OwnedRecord['table'], string> = {
  connections: 'connection_id',
  agent_payments: 'agent_payment_id',
  automation_policies: 'policy_id',
};

/** Undefined when the record is not within reach: what is absent is said later, and to everybody alike. */
export async function grantOf(
  sql: Sql,
  reach: Reach,
  { table, id }: OwnedRecord,
): Promise<Grant | undefined> {
  const [row] = await sql<Grant[]>`
    select a.environment, ${effectiveScopes(sql)} as scopes
    from ${sql(table)} o
      join connections c on c.connection_id = o.connection_id
      join agents a on a.agent_id = c.agent_id
    where ${sql(`o.${ID_COLUMNS[table]}`)} = ${id} and ${inReach(sql, reach)}`;
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
