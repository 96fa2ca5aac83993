import { onTestFinished } from 'vitest';
import { type Env, parseConfig } from '../../../server/src/config/index.ts';
import { type Context, createContext } from '../../../server/src/context.ts';
import type { Clock } from '../../../server/src/lib/clock.ts';
import { type Caller, createCaller, type Sent } from './client.ts';
import { createTestClock } from './clock.ts';
import { freePort, loadApp, type TestService } from './service.ts';

/** A second service on the same database, as another process would be. It has no jobs. */
export async function secondService(
  service: TestService,
  clock: Clock = service.clock,
  env: Env = {},
): Promise<{ call: Caller; context: Context; end(): Promise<void> }> {
  const config = parseConfig({ ...service.env, SVC_PORT: String(await freePort()), ...env });
  const context = await createContext(config, service.database.target, { clock });
  const createApp = await loadApp();
  const app = await createApp(context, { jobs: false });
  await app.start();
  await app.server.listen({ host: config.host, port: config.port });
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= app.stop().then(() => context.close());
    return ended;
  };
  onTestFinished(end);
  return { call: createCaller(`http://${config.host}:${config.port}`), context, end };
}

/**
 * One whose clock is ahead: the first one's jobs see nothing overdue yet, so whatever is settled was settled by a call
 * that met it.
 */
export function serviceAhead(service: TestService, aheadMs: number): Promise<{ call: Caller }> {
  const clock = createTestClock();
  clock.set(new Date(service.clock.now().getTime() + aheadMs));
  return secondService(service, clock);
}

/** Every page of a list of the second surface, one after the other. */
export async function followPages(
  call: Caller,
  path: string,
  sent: Sent & { query: Record<string, string | number> },
): Promise<{ id: string; status: string }[]> {
  const items: { id: string; status: string }[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string | number> = { ...sent.query, ...(cursor === null ? {} : { cursor }) };
    const { data } = (await call('GET', path, { ...sent, query })).body;
    items.push(...data.items);
    cursor = data.next_cursor;
  } while (cursor !== null);
  return items;
}
