/*
 * READ COMMITTED with row locks in a fixed order: of several locks a transaction takes those further up first, so that
 * no two transactions deadlock. docs/ARCHITECTURE.md prints both orders.
 */

interface Locked {
  table: string;
  /** Among the rows of the table. */
  order?: string;
}

/**
 * What agents and wallets change. A shared statement skips locked rows and never waits; a skipped call is repeated alone.
 */
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
