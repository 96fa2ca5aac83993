import type { Database } from '../../db/open.ts';
import type { RetentionRule } from '../../jobs/retention.ts';

export interface BudgetOrder {
  name: string;
  /** Keyed hash: network addresses are nobody's business. */
  subject: string;
  count: number;
  periodMs: number;
  nowMs: number;
  /** Who asks. */
  process: string;
  /** What was used of the former lease, and when last. */
  used: number;
  usedMs: number;
  /** What is left of it and stays here. */
  keep: number;
  need: number;
  extra: number;
  leaseEndMs: number;
}

export interface BudgetAnswer {
  granted: number;
  leased: number;
  remaining: number;
  /** When something becomes free again; null when nothing is in use. */
  free_ms: number | null;
}

export async function takeFromBudget(db: Database, order: BudgetOrder): Promise<BudgetAnswer> {
  const [row] = await db<[BudgetAnswer]>`
    select granted, leased, remaining, free_ms from take_from_budget(
      ${order.name}, ${order.subject}, ${order.count}, ${order.periodMs}, ${order.nowMs}, ${order.process},
      ${order.used}, ${order.usedMs}, ${order.keep}, ${order.need}, ${order.extra}, ${order.leaseEndMs})`;
  return row;
}

export const rateBudgetRetention: RetentionRule = {
  name: 'rate budgets',
  tables: ['rate_budgets'],
  async purge(db, now, limit) {
    const result = await db`
      delete from rate_budgets where (name, subject) in (
        select name, subject from rate_budgets where expires_at < ${now}
        order by expires_at limit ${limit} for update skip locked)`;
    return result.count;
  },
};
