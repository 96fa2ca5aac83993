import { type Endpoint, SOCKET_PORT } from './endpoint.ts';

/**
 * Settings of the embedded server. They are passed at each start, so that a new release brings its own. A host who
 * wants to tune PostgreSQL runs a server and sets DATABASE_URL.
 */
export function serverArguments(cluster: string, endpoint: Endpoint, major: number): string[] {
  const settings: Record<string, string> = {
    ...listenSettings(endpoint),
    ...DURABILITY,
    ...SIZE,
    ...(major >= 18 ? { io_method: 'sync' } : {}),
    ...LOGGING,
    timezone: 'UTC',
    log_timezone: 'UTC',
    cluster_name: 'payassent',
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function listenSettings({ socketDir, tcp }: Endpoint): Record<string, string> {
  if (tcp !== undefined) {
    return { listen_addresses: tcp.host, port: String(tcp.port), unix_socket_directories: '' };
  }
  return {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    // A list: quoted, so that a comma in the path of the temporary folder is not taken for a separator.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

/** What was confirmed must survive a power cut. */
const DURABILITY = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

/** A small machine with short transactions: no parallel plans, no just-in-time compiler, few helper processes. */
const SIZE = {
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  min_wal_size: '80MB',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  jit: 'off',
  huge_pages: 'off',
};

/**
 * Only what concerns the server itself. Errors of statements reach the service, which redacts them; here they
 * would put values of rows (DETAIL) and statements into a file.
 */
const LOGGING = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  lc_messages: 'C',
};
