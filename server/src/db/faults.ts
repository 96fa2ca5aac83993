/** Raised by a write to a shard that was split meanwhile (`storage/citus/shards.ts`). */
export const SHARDS_CHANGED = 'PA001';

/** Transient failures: nothing is wrong with the request, and the caller should retry. */
const FAULT_CODES = {
  connection: [
    'CONNECTION_CLOSED',
    'CONNECTION_ENDED',
    'CONNECTION_DESTROYED',
    'CONNECT_TIMEOUT',
    'POOLED',
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'ENOENT',
    'ENOTFOUND',
    'ENETDOWN',
    'ENETUNREACH',
    'EPIPE',
    'EPROTO',
    'ETIMEDOUT',
    'EHOSTDOWN',
    'EHOSTUNREACH',
    'EAI_AGAIN',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '53300',
    '08000',
    '08001',
    '08003',
    '08004',
    '08007',
    '08006',
  ],
  // The server no longer accepts the service: its role, password or database is gone.
  access: ['28000', '28P01', '3D000', '57P04'],
  // No response within the deadline of the call.
  deadline: ['DEADLINE'],
  // Cancelled because it took too long, or was idle within its transaction.
  timeout: ['57014', '25P03'],
  // Waited too long for a lock, or deadlocked.
  lock: ['55P03', '40P01'],
  serialization: ['40001'],
  // No space on the disk, no memory, a limit of the server, a failing disk.
  storage: ['53000', '53100', '53200', '53400', '58030'],
  // A standby, or a server that was made read-only.
  read_only: ['25006'],
  durability: ['UNSAFE_DURABILITY'],
  // A previous primary, or another database altogether.
  lineage: ['OTHER_DATABASE'],
  placement: [SHARDS_CHANGED],
} as const;

export type Fault = keyof typeof FAULT_CODES | 'outdated';

export const FAULTS_KNOWN = [...Object.keys(FAULT_CODES), 'outdated'] as Fault[];

const FAULT_OF = new Map<string, Fault>(
  Object.entries(FAULT_CODES).flatMap(([fault, codes]) =>
    codes.map((code) => [code, fault as Fault] as const),
  ),
);

/** PostgreSQL's routine when a statement was prepared before a migration. Nothing ran; a retry prepares it again. */
const OUTDATED_STATEMENT = 'RevalidateCachedQuery';

/**
 * Citus has no code for these. A statement that waited while its shard was moved or split was planned for a shard that
 * is gone; nothing ran, and a retry is planned again.
 */
const SHARD_GONE = [
  { code: 'XX000', text: /^could not find valid entry for shard/ },
  { code: '42P01', text: /^relation "[\w.]+_\d+" does not exist$/ },
];

/** Lost connections that Citus has no code for. Any other XX000 is a defect of ours. */
const LOST_IN_WORDS: readonly { code: string; routine?: string; text: RegExp }[] = [
  // libpq's message about a Citus node.
  {
    code: 'XX000',
    routine: 'ReportResultError',
    text: /connection|could not (receive|send) data|SSL (SYSCALL )?error|timeout expired|lost synchronization/i,
  },
  // Citus's messages on a node whose server is shutting down, and in a transaction that has lost a node.
  { code: 'XX000', text: /^postmaster was shut down, exiting$/ },
  { code: 'XX000', text: /^failure on connection marked as essential: / },
];

/** A new connection writes a cache file when the catalogue has changed; a full disk has no error code there either. */
const NO_ROOM_FOR_CACHE = { code: 'XX000', text: /^could not write init file/ };

const TLS_CODES = /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

export function faultOf(error: unknown): Fault | undefined {
  const { code, routine, message = '' } = (error ?? {}) as Partial<Record<string, string>>;
  if (routine === OUTDATED_STATEMENT) return 'outdated';
  if (SHARD_GONE.some((known) => known.code === code && known.text.test(message))) return 'placement';
  const isLost = LOST_IN_WORDS.some(
    (known) => known.code === code && (known.routine ?? routine) === routine && known.text.test(message),
  );
  if (isLost) return 'connection';
  if (code === NO_ROOM_FOR_CACHE.code && NO_ROOM_FOR_CACHE.text.test(message)) return 'storage';
  // PostgreSQL's errors name their routine, so this is from a pooler in front, about itself or its server.
  if (code === '08P01' && routine === undefined) return 'connection';
  if (code !== undefined && TLS_CODES.test(code)) return 'connection';
  return code === undefined ? undefined : FAULT_OF.get(code);
}

/** The database is temporarily unavailable. */
export function isUnavailable(error: unknown): boolean {
  return faultOf(error) !== undefined;
}

const CHECK_ADDRESS =
  'Check that the server runs and takes connections from here, and DATABASE_URL: host, port, user, password, sslmode.';
const AGAIN = 'Try again.';

/** For people at a command: the problem, and what to do. */
const SENTENCES: Record<Exclude<Fault, 'durability' | 'lineage'>, readonly [what: string, todo: string]> = {
  connection: ['The database cannot be reached, or the connection to it was lost', CHECK_ADDRESS],
  access: ['The database does not let this role in', CHECK_ADDRESS],
  deadline: ['The database did not respond in time', AGAIN],
  timeout: ['The database cancelled a statement that took too long', AGAIN],
  lock: ['Others hold what this needs in the database', 'Try again when there is less to do.'],
  serialization: ['Others changed the same rows of the database', AGAIN],
  storage: ['The database cannot store more', 'Make room on its disk, or raise its limits, and try again.'],
  read_only: [
    'The server takes no writes: it is a standby or read-only',
    'Let DATABASE_URL lead to the primary.',
  ],
  placement: ['A part of the database was moved meanwhile', AGAIN],
  outdated: ['The schema of the database changed meanwhile', AGAIN],
};

/** One sentence of what happened and one of what to do; undefined for a defect of ours. */
export function describeFault(error: unknown): string | undefined {
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  const { message, code } = error as { message?: string; code?: string };
  // The messages of these are complete.
  if (fault === 'durability' || fault === 'lineage') return message;
  const [what, todo] = SENTENCES[fault];
  return `${what} (${message || code}). ${todo}`;
}
