import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createLyingLog, type LyingLog, misspellings } from './lying-log.ts';

export { underDomain } from './lying-log.ts';

/** An operator that holds every key of a service, and shows each reader of the log what it likes. */
export type LyingOperator = LyingLog;

/** A domain, and spellings that its owner, who compares bytes, would not find in the log. */
export const VICTIM = 'victim.example';
export const MISSPELT: readonly [how: string, domain: string][] = misspellings(VICTIM);

export async function lyingOperator(): Promise<LyingOperator> {
  let log: LyingLog | undefined;
  const server = createServer((request, response) => {
    response.end(log && Buffer.from(log.read(request.url ?? '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  log = createLyingLog(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  return log;
}
