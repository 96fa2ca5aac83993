import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAuthority } from '@payassent/proof/surroundings/certificates';
import { startHttpsReceiver } from '@payassent/proof/surroundings/http-receiver';
import { expect, it } from 'vitest';

// The variable is read when a process starts, so the compiled code runs in a separate one.
const script = `
  const [folder, url] = process.argv.slice(1);
  const { createOutbound } = await import(folder + 'outbound/index.js');
  const { createDns } = await import(folder + 'dns.js');
  const outbound = createOutbound({ dns: createDns(undefined), allowLoopback: true });
  const result = await outbound.send({ url, method: 'GET', deadlineMs: 5000, maxBodyBytes: 10 });
  await outbound.close();
  process.stdout.write(String(result.status ?? result.errorClass));
`;

it('an authority in NODE_EXTRA_CA_CERTS is trusted, and without it not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'extra-ca-'));
  const authority = await createAuthority();
  const receiver = await startHttpsReceiver(await authority.issue(['127.0.0.1']));
  await writeFile(join(folder, 'ca.pem'), authority.cert);
  const compiled = new URL('../../../dist/lib/', import.meta.url).href;
  const run = async (env: NodeJS.ProcessEnv): Promise<string> => {
    const parts = ['--input-type=module', '-e', script, compiled, receiver.url];
    return (await promisify(execFile)(process.execPath, parts, { env, timeout: 20_000 })).stdout;
  };
  try {
    expect(await run({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })).toBe('200');
    expect(await run({})).toBe('tls_failed');
  } finally {
    await receiver.close();
    await rm(folder, { recursive: true });
  }
});
