import { chmod, chown, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedStartError, USE_OWN_SERVER } from './errors.ts';
import { type Identity, runAs } from './identity.ts';

/**
 * Where the database accepts connections: a Unix socket in a private folder, or loopback TCP on systems without
 * sockets.
 */
export interface Endpoint {
  socketDir: string;
  tcp: { host: string; port: number } | undefined;
}

export const SOCKET_PORT = 5432;

/** sockaddr_un holds 103 bytes on macOS and 107 on Linux; the lock file next to the socket is not bound. */
const MAX_SOCKET_PATH_BYTES = 103;

export function socketFile(socketDir: string): string {
  return path.join(socketDir, `.s.PGSQL.${SOCKET_PORT}`);
}

function memoryFile(dataDir: string): string {
  return path.join(dataDir, 'postgres.socket-dir');
}

/** The endpoint of the last start on this folder, running or not; empty when there was none. */
export function rememberedSocketDir(dataDir: string): Promise<string> {
  return readFile(memoryFile(dataDir), 'utf8').catch(() => '');
}

/** The endpoint for this start. Reuses the socket folder of an earlier start. */
export async function openEndpoint(dataDir: string, identity: Identity): Promise<Endpoint> {
  if (process.platform === 'win32') {
    return { socketDir: '', tcp: { host: '127.0.0.1', port: await freePort() } };
  }
  const remembered = await rememberedSocketDir(dataDir);
  if (await isPrivateFolder(remembered, identity)) {
    await freshSocketFolder(remembered, identity);
    return { socketDir: remembered, tcp: undefined };
  }
  for (const parent of [tmpdir(), '/tmp', '/var/tmp', dataDir]) {
    const socketDir = await makeSocketFolder(parent, identity);
    if (socketDir === undefined) continue;
    await writeFile(memoryFile(dataDir), socketDir, { mode: 0o600 });
    return { socketDir, tcp: undefined };
  }
  throw new EmbeddedStartError(
    'There is no folder for the socket of the embedded PostgreSQL: neither the temporary folder nor ' +
      `${dataDir} is writable and shorter than ${MAX_SOCKET_PATH_BYTES} bytes. Set TMPDIR to such a folder, ${USE_OWN_SERVER}.`,
  );
}

/**
 * Makes the socket folder ready for a new server: recreates it when a cleaner of temporary files removed it, and
 * empties it, because a server refuses to start next to the lock file of a killed one whose pid still seems to exist (a
 * zombie).
 */
export async function freshSocketFolder(socketDir: string, identity: Identity): Promise<void> {
  const made = await mkdir(socketDir, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (made && identity.owner !== undefined) await chown(socketDir, identity.owner.uid, identity.owner.gid);
  if (!(await isPrivateFolder(socketDir, identity))) {
    throw new EmbeddedStartError(`The socket folder ${socketDir} cannot be made again. Restart the service.`);
  }
  await rm(socketFile(socketDir), { force: true });
  await rm(`${socketFile(socketDir)}.lock`, { force: true });
}

/** After a clean stop nothing stays in the temporary folder. */
export async function closeEndpoint(dataDir: string, endpoint: Endpoint): Promise<void> {
  if (endpoint.socketDir === '') return;
  await rm(endpoint.socketDir, { recursive: true, force: true });
  await rm(memoryFile(dataDir), { force: true });
}

async function makeSocketFolder(parent: string, identity: Identity): Promise<string | undefined> {
  if (Buffer.byteLength(socketFile(path.join(parent, 'cs-XXXXXX'))) > MAX_SOCKET_PATH_BYTES) return undefined;
  let folder: string;
  try {
    folder = await mkdtemp(path.join(parent, 'cs-'));
  } catch {
    return undefined;
  }
  await chmod(folder, 0o700);
  if (identity.owner !== undefined) await chown(folder, identity.owner.uid, identity.owner.gid);
  const canEnter = await runAs(identity, ['/bin/sh', '-c', 'cd -- "$1"', 'sh', folder], {
    timeoutMs: 10_000,
  });
  if (canEnter.code === 0) return folder;
  await rm(folder, { recursive: true, force: true });
  return undefined;
}

/** Another user may have created a folder of that name in /tmp: only one of ours will do. */
async function isPrivateFolder(folder: string, identity: Identity): Promise<boolean> {
  if (folder === '' || !path.isAbsolute(folder)) return false;
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) return false;
  const owner = identity.owner?.uid ?? process.getuid?.();
  return found.uid === owner && (found.mode & 0o077) === 0;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
