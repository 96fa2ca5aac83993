export interface Durability {
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  /** safe: an acknowledged write survives a crash of process and machine. */
  level: 'safe' | 'unsafe';
}

export function durabilityOf(found: Omit<Durability, 'level'>): Durability {
  const { fsync, full_page_writes, synchronous_commit } = found;
  const isSafe = fsync === 'on' && full_page_writes === 'on' && synchronous_commit !== 'off';
  return { fsync, full_page_writes, synchronous_commit, level: isSafe ? 'safe' : 'unsafe' };
}

export class UnsafeDurabilityError extends Error {
  readonly code = 'UNSAFE_DURABILITY';

  constructor(found: Durability) {
    super(
      'The database may lose writes it has acknowledged: ' +
        `fsync=${found.fsync}, full_page_writes=${found.full_page_writes}, synchronous_commit=${found.synchronous_commit}. ` +
        'Turn them on, or set SVC_ALLOW_UNSAFE_DURABILITY=on to accept the loss.',
    );
    this.name = 'UnsafeDurabilityError';
  }
}
