/*
 * READ COMMITTED with row locks in a fixed order: whoever needs several of them takes those that stand further up first,
 * so that no two transactions wait for each other. docs/ARCHITECTURE.md prints both orders.
 */

interface Locked {
  table: string;
  /** Among the rows of the table. */
  order?: string;
}

/** What agents and wallets change. A shared statement passes over what is held and never waits; its caller comes again alone. */
export const PAYMENT_LOCKS: readonly Locked[] = [
  { table: 'connections' },
  { table: 'payment_requests', order: 'merchant, request, connection' },
  { table: 'connection_heads', order: 'connection' },
  { table: 'automation_policies' },
];

/** What merchants change about themselves and their payees. */
export const CONTROL_PLANE_LOCKS: readonly Locked[] = [
  { table: 'domains' },
  { table: 'recipients' },
  { table: 'recipient_versions' },
  { table: 'merchants' },
];
