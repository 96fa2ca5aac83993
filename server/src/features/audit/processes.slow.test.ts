// Slow: kills processes at random.

import { enrolDevice } from '@payassent/proof/people/wallets';
import { startProcess } from '@payassent/proof/service/process';
import { freePort, serviceForTest } from '@payassent/proof/service/service';
import { expect, it, onTestFinished } from 'vitest';
import { verifyChain } from './verify-chain.ts';

it('processes that are killed while they link leave one chain that the others continue', async () => {
  const service = await serviceForTest({ jobs: false });
  const startLinker = async () => {
    const linker = await startProcess({ ...service.env, SVC_PORT: String(await freePort()) });
    onTestFinished(async () => {
      await linker.end('SIGKILL');
    });
    return linker;
  };
  const written = async () => {
    const [row] = await service.db`
      select (select count(*) from audit_events) as entries, (select count(*) from audit_chain) as links`;
    return { entries: Number(row?.['entries']), links: Number(row?.['links']) };
  };
  for (let round = 0; round < 3; round += 1) {
    const [first] = await Promise.all([startLinker(), startLinker()]);
    // A busy machine may reject some calls as retryable; what was written counts.
    const writing = Promise.allSettled(Array.from({ length: 60 }, () => enrolDevice(service)));
    await expect
      .poll(async () => (await written()).links, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(round);
    await first.end('SIGKILL');
    await writing;
  }
  await expect
    .poll(
      async () => {
        const { entries, links } = await written();
        return entries > 0 && entries === links;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  expect(await verifyChain(service.db)).toMatchObject({
    broken: null,
    waiting: 0,
    links: (await written()).links,
  });
}, 300_000);
