import { readFileSync } from 'node:fs';
import inspector from 'node:inspector/promises';
import { paymentStage, postRequest } from '@payassent/proof/people/payments';
import { startService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

const MOST_FILES = 20;
/** Sources, or what was compiled from them. */
const ROOMS = /\/server\/(?:src|dist)\/((?:features|payments|storage)\/.+)\.[jt]s$/;

const session = new inspector.Session();
beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});
afterAll(() => session.disconnect());

/** Files with a named function that ran meanwhile. */
async function filesOf(work: () => Promise<void>): Promise<string[]> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  );
  return ran.flatMap(({ url }) => ROOMS.exec(url)?.slice(1) ?? []).map((file) => `${file}.ts`);
}

it('a create runs through the files that the architecture page names, and they are at most twenty', async () => {
  const service = await startService();
  const stage = await paymentStage(service);
  const create = async () => {
    expect((await postRequest(service, stage)).status).toBe(201);
  };
  // The first one of a token reads what is cached from then on.
  await create();
  let files = await filesOf(create);
  // Jobs and checks of the service run at the same time, but not during each of many turns.
  for (let turn = 0; turn < 12; turn += 1) {
    const ran = await filesOf(create);
    files = files.filter((file) => ran.includes(file));
  }
  await service.close();
  const page = readFileSync(new URL('../../docs/ARCHITECTURE.md', import.meta.url), 'utf8');
  const section = page.split('### The files of a create')[1]?.split('\n## ')[0] ?? '';
  const named = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file);
  expect(files.toSorted()).toEqual(named.toSorted());
  expect(named.length).toBeLessThanOrEqual(MOST_FILES);
});
