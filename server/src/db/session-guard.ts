import { type Durability, durabilityOf, UnsafeDurabilityError } from './durability.ts';

/** What every new connection of the service must be like. An address may lead to another server at any time. */
export interface SessionGuard {
  allowUnsafeDurability: boolean;
  /** The address was found to lead to the server itself, so a pooler that is met later is refused. */
  isDirect: boolean;
}

interface Session extends Omit<Durability, 'level'> {
  pid: number;
  takes_writes: boolean;
}

/** One statement of the driver on each new connection, before anything else; what is refused is closed again. */
export function sessionCheck(guard: SessionGuard) {
  return {
    text: `
      select pg_backend_pid() as pid,
             not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as takes_writes,
             current_setting('fsync') as fsync,
             current_setting('full_page_writes') as full_page_writes,
             current_setting('synchronous_commit') as synchronous_commit`,
    judge(session: Session | undefined, announcedPid: number): Error | undefined {
      // Met while a server was killed and started again: a connection that is lost, and no fault of ours.
      if (!session) return fault('08006', 'The server did not answer what a new connection asks.');
      if (!session.takes_writes)
        return fault('25006', 'The server is a standby or read-only, and takes no writes.');
      const durability = durabilityOf(session);
      if (durability.level === 'unsafe' && !guard.allowUnsafeDurability)
        return new UnsafeDurabilityError(durability);
      if (guard.isDirect && session.pid !== announcedPid)
        return fault('POOLED', 'The address leads to a pooler now, and did not when the service started.');
      return undefined;
    },
  };
}

function fault(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
