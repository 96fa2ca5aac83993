import type { Worker } from 'node:cluster';

interface ClusterMessage {
  cmd?: unknown;
  act?: unknown;
  seq?: number;
  ack?: number;
}

/**
 * A connection that is on its way to a worker when that worker dies belongs to nobody: Node's own hand-over waits for a
 * word that never comes, and the client with it. It is ended here, so that the client can try again. This reads the
 * messages that Node's cluster sends; should they ever change, nothing is found and all is as without it.
 */
export function endLostHandovers(worker: Worker): void {
  const child = worker.process;
  const underWay = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (...parts: unknown[]) => boolean;
  child.send = (...parts: unknown[]): boolean => {
    const [message, handle] = parts as [ClusterMessage, { close(): void } | undefined];
    if (message?.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && handle && message.seq !== undefined)
      underWay.set(message.seq, handle);
    return send(...parts);
  };
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) underWay.delete(ack);
  });
  worker.once('exit', () => {
    for (const handle of underWay.values()) handle.close();
    underWay.clear();
  });
}
