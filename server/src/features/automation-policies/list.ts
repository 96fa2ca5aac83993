import type { PolicySummary } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Database } from '../../db/open.ts';
import type { PageRead } from '../page.ts';
import { type ProjectReader, reachOf, withMerchant } from '../project-access/reach.ts';
import { type PolicyFilter, selectPolicies } from './sql.ts';
import { expirePoliciesOf, isOver } from './stop.ts';
import { type PolicyRow, policyView } from './view.ts';

/** One page and a row more, read again until the end of every expired policy on it is recorded. */
export async function listPolicies(
  db: Database,
  act: Act,
  caller: ProjectReader,
  filter: PolicyFilter,
  page: PageRead,
): Promise<PolicyRow[]> {
  const reach = withMerchant(reachOf(caller), caller.companion?.merchantId);
  const rows = await selectPolicies(db, reach, filter, page, act.now);
  const due = rows.filter((row) => isOver(row, act.now));
  if (due.length === 0) return rows;
  await expirePoliciesOf(db, act, due);
  return listPolicies(db, act, caller, filter, page);
}

const MOST_OPEN = 100;

/** The policies of its connection that an agent may see, newest first. */
export async function openPoliciesOf(
  db: Database,
  act: Act,
  { merchantId, agentId, connectionId }: { merchantId: string; agentId: string; connectionId: string },
): Promise<PolicySummary[]> {
  const filter = { connectionId, status: 'open' } as const;
  const page = { after: undefined, limit: MOST_OPEN + 1 };
  const rows = await selectPolicies(db, { kind: 'agent', merchantId, agentId }, filter, page, act.now);
  return rows.map(policyView).map(({ id, status, network, asset, usage }) => {
    return { id, status, network, asset, remaining: usage.remaining };
  });
}
