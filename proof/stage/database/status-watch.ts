import { type MachineName, SETTLEMENT_STATES, STATE_MACHINES } from '@payassent/protocol';
import type { Database } from '../../../server/src/db/open.ts';

/** Where the records of each state machine are stored. */
export const TABLE_OF: Readonly<Record<MachineName, string>> = {
  merchant: 'merchants',
  domain: 'domains',
  recipient: 'recipients',
  recipient_version: 'recipient_versions',
  agent: 'agents',
  credential: 'agent_credentials',
  device: 'devices',
  pending_change: 'pending_changes',
  connect_key: 'connect_keys',
  connect_invitation: 'connect_invitations',
  pairing_session: 'pairing_sessions',
  connection: 'connections',
  payment_request: 'payment_requests',
  webhook_endpoint: 'webhook_endpoints',
  webhook_delivery: 'webhook_deliveries',
  agent_payment: 'agent_payments',
  automation_policy: 'automation_policies',
  settlement: 'settlements',
};

/**
 * Records that are created with a known outcome: that of a verification, and the finding of the first check of a chain.
 */
const OTHER_BEGINNINGS: Partial<Record<MachineName, readonly string[]>> = {
  webhook_delivery: ['delivered', 'failed'],
  settlement: SETTLEMENT_STATES,
};

/**
 * In every database of the tests: a statement of the service that moves a record in a way that its state table does not
 * have, or makes one in another state than the first, fails. Tests themselves write as the owner and may do both.
 */
export async function watchStatuses(db: Database): Promise<void> {
  await db.unsafe(`
    create function watch_status() returns trigger language plpgsql as $$
    declare move text := case when tg_op = 'INSERT' then '' else old.status end || '>' || new.status;
    begin
      if move = any(tg_argv[0]::text[]) or pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'usage')
      then return new; end if;
      raise exception 'no state table of % has the move %', tg_table_name, move;
    end $$`);
  for (const [name, { initial, transitions }] of Object.entries(STATE_MACHINES)) {
    const table = TABLE_OF[name as MachineName];
    const beginnings = [initial, ...(OTHER_BEGINNINGS[name as MachineName] ?? [])];
    const moves = [
      ...beginnings.map((state) => `>${state}`),
      ...transitions.map(({ from, to }) => `${from}>${to}`),
    ];
    const list = `'{${moves.map((move) => `"${move}"`).join(',')}}'`;
    await db.unsafe(`
      create trigger watch_moves before update of status on ${table} for each row
        when (old.status is distinct from new.status) execute function watch_status(${list});
      create trigger watch_beginning before insert on ${table} for each row execute function watch_status(${list})`);
  }
}
