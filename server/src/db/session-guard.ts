import { type Durability, durabilityOf, UnsafeDurabilityError } from './durability.ts';
import { LINEAGE_COLUMNS, type Lineage, type LineageMemory } from './lineage.ts';

/** What must hold for every new connection of the service. An address may lead to another server at any time. */
export interface SessionGuard {
  allowUnsafeDurability: boolean;
  /** The address was found to lead to the server itself, so a pooler that appears later is rejected. */
  isDirect: boolean;
  /** Of the server at the address; the embedded one has none. */
  lineage?: LineageMemory;
}

interface Session extends Omit<Durability, 'level'>, Partial<Lineage> {
  pid: number;
  takes_writes: boolean;
}

/** One statement of the driver on each new connection, before anything else; a rejected one is closed. */
export function sessionCheck(guard: SessionGuard) {
  return {
    // Not queried on a server without this setting.
    get text() {
      return `${SESSION}${guard.lineage?.known ? `, ${LINEAGE_COLUMNS}` : ''}`;
    },
    judge(session: Session, announcedPid: number): Error | undefined {
      if (!session.takes_writes)
        return fault('25006', 'The server is a standby or read-only, and takes no writes.');
      const durability = durabilityOf(session);
      if (durability.level === 'unsafe' && !guard.allowUnsafeDurability)
        return new UnsafeDurabilityError(durability);
      if (guard.isDirect && session.pid !== announcedPid)
        return fault('POOLED', 'The address leads to a pooler now, and did not when the service started.');
      const { system, timeline } = session;
      return system !== undefined && timeline ? guard.lineage?.judge({ system, timeline }) : undefined;
    },
  };
}

const SESSION = `
      select pg_backend_pid() as pid,
             not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as takes_writes,
             current_setting('fsync') as fsync,
             current_setting('full_page_writes') as full_page_writes,
             current_setting('synchronous_commit') as synchronous_commit`;

function fault(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
