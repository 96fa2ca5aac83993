import { connect } from 'node:net';
import { CLUSTER_DATABASE, CLUSTER_USER, keptPassword } from './cluster.ts';
import { rememberedSocketDir, SOCKET_PORT, socketFile } from './endpoint.ts';

export interface RunningDatabase {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
}

/**
 * The database of a service that runs on this folder, for a host's command on the same machine. Undefined when none
 * responds: the folder is free, and the command may start the database itself.
 */
export async function findRunningPostgres(dataDir: string): Promise<RunningDatabase | undefined> {
  const socketDir = await rememberedSocketDir(dataDir);
  const password = await keptPassword(dataDir);
  if (socketDir === '' || password === undefined || !(await answers(socketFile(socketDir)))) return undefined;
  return { host: socketDir, port: SOCKET_PORT, username: CLUSTER_USER, password, database: CLUSTER_DATABASE };
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
