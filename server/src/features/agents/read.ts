import type { Sql } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { Position } from '../../http/page.ts';
import { listCredentials } from './credential-sql.ts';
import { selectAgent } from './sql.ts';
import type { AgentRow, CredentialRow } from './view.ts';

export { listAgents } from './sql.ts';

export async function readAgent(db: Sql, merchantId: string, agentId: string): Promise<AgentRow> {
  const agent = await selectAgent(db, merchantId, agentId);
  if (!agent) throw notFound();
  return agent;
}

export async function readCredentials(
  db: Sql,
  merchantId: string,
  agentId: string,
  page: { limit: number; after: Position | undefined },
): Promise<CredentialRow[]> {
  await readAgent(db, merchantId, agentId);
  return listCredentials(db, merchantId, agentId, page);
}
