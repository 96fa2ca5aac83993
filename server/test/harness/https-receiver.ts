import { createServer } from 'node:https';
import type { KeyAndCertificate } from './certificates.ts';
import { startReceiver, type TestReceiver } from './http-receiver.ts';

/** As `startHttpReceiver`, behind TLS. `name` is what its URL says, for names that a test name server resolves. */
export async function startHttpsReceiver(
  identity: KeyAndCertificate,
  name = '127.0.0.1',
  host = '127.0.0.1',
): Promise<TestReceiver> {
  const { key, cert } = identity;
  return await startReceiver((listener) => createServer({ key, cert }, listener), 'https', host, name);
}
