import type { Database } from './open.ts';

export interface Durability {
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  /** safe: an acknowledged write survives a crash of process and machine. */
  level: 'safe' | 'unsafe';
}

/** What the server promises about a commit that it has acknowledged. */
export async function readDurability(db: Database): Promise<Durability> {
  const rows = await db<Omit<Durability, 'level'>[]>`
    select current_setting('fsync') as fsync,
           current_setting('full_page_writes') as full_page_writes,
           current_setting('synchronous_commit') as synchronous_commit`;
  const row = rows[0] ?? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
  const safe = row.fsync === 'on' && row.full_page_writes === 'on' && row.synchronous_commit !== 'off';
  return { ...row, level: safe ? 'safe' : 'unsafe' };
}

export class UnsafeDurabilityError extends Error {
  constructor(found: Durability) {
    super(
      'The database may lose writes it has acknowledged: ' +
        `fsync=${found.fsync}, full_page_writes=${found.full_page_writes}, synchronous_commit=${found.synchronous_commit}. ` +
        'Turn them on, or set SVC_ALLOW_UNSAFE_DURABILITY=on to accept the loss.',
    );
    this.name = 'UnsafeDurabilityError';
  }
}
