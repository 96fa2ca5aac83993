/** Raised by what wrote to a shard that was split meanwhile (`storage/citus/shards.ts`). */
export const SHARDS_CHANGED = 'PA001';

/** Faults that pass: the caller should try again, nothing is wrong with the request. */
const FAULT_CODES = {
  connection: [
    'CONNECTION_CLOSED',
    'CONNECTION_ENDED',
    'CONNECTION_DESTROYED',
    'CONNECT_TIMEOUT',
    'POOLED',
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOENT',
    'ENOTFOUND',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'EAI_AGAIN',
    '57P01',
    '57P02',
    '57P03',
    '53300',
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
  ],
  // Nothing was heard within the time of the call.
  deadline: ['DEADLINE'],
  // Cancelled because it took too long, or was idle within its transaction.
  timeout: ['57014', '25P03'],
  // Waited too long for one, or two waited for each other.
  lock: ['55P03', '40P01'],
  serialization: ['40001'],
  // No space on the disk, no memory, a limit of the server, a disk that fails.
  storage: ['53000', '53100', '53200', '53400', '58030'],
  // A standby, or a server that was made read-only.
  read_only: ['25006'],
  durability: ['UNSAFE_DURABILITY'],
  placement: [SHARDS_CHANGED],
} as const;

export type Fault = keyof typeof FAULT_CODES | 'outdated';

export const FAULTS_KNOWN = [...Object.keys(FAULT_CODES), 'outdated'] as Fault[];

const FAULT_OF = new Map<string, Fault>(
  Object.entries(FAULT_CODES).flatMap(([fault, codes]) =>
    codes.map((code) => [code, fault as Fault] as const),
  ),
);

/** Where PostgreSQL says that a statement was prepared before a migration. Nothing was done, and the next try is new. */
const OUTDATED_STATEMENT = 'RevalidateCachedQuery';

/**
 * Citus has no code of its own for these. A statement that waited while its shard was moved or split was planned for a
 * shard that is gone; nothing was done, and the next try is planned again.
 */
const SHARD_GONE = [
  { code: 'XX000', text: /^could not find valid entry for shard/ },
  { code: '42P01', text: /^relation "[\w.]+_\d+" does not exist$/ },
];

/** Where Citus reports what libpq says of a lost machine, which has no code. */
const MACHINE_LOST = { code: 'XX000', routine: 'ReportResultError' };
const LOST_TEXT = /connection|could not (receive|send) data/i;

export function faultOf(error: unknown): Fault | undefined {
  const { code, routine, message = '' } = (error ?? {}) as Partial<Record<string, string>>;
  if (routine === OUTDATED_STATEMENT) return 'outdated';
  if (SHARD_GONE.some((known) => known.code === code && known.text.test(message))) return 'placement';
  if (code === MACHINE_LOST.code && routine === MACHINE_LOST.routine && LOST_TEXT.test(message))
    return 'connection';
  return code === undefined ? undefined : FAULT_OF.get(code);
}

/** The database cannot be asked just now. */
export function isUnavailable(error: unknown): boolean {
  return faultOf(error) !== undefined;
}
