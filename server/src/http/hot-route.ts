import { notFound, refuseWhenInvalid } from '../errors.ts';
import { RouteCall } from './call.ts';
import { countCall, guarded } from './callers.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { compileJudging, compileReading, namesNothing } from './inputs.ts';
import type { Handler, Kernel } from './kernel.ts';
import { toOutgoing } from './outgoing.ts';
import type { Route } from './route.ts';

/**
 * The way of a hot request: its own statement proves the credential, so that nothing is asked of the database before.
 * Whatever else is wrong is told only to a caller whose credential passes the ordinary check; most never need it.
 */
export function compileHotRoute(kernel: Kernel, route: Route): Handler {
  const { context } = kernel;
  const read = compileReading(kernel, route);
  const judge = compileJudging(kernel, route);
  if (route.screen || route.sameOriginOnly || route.authority?.fourEyes)
    throw new Error(`${route.method} ${route.path} declares checks that need a proved caller`);

  return async (incoming) => {
    const { act, parsed, body, presented } = read(incoming);
    const check = guarded(kernel, route, incoming, presented, act.now);
    if (namesNothing(incoming.params)) {
      await check();
      throw notFound();
    }
    const counted = countCall(kernel, route, incoming, { presented, proved: undefined, check }, act.now);
    const rate = counted && (await counted);
    const idempotencyKey = route.idempotent
      ? await readKey(check, () => readIdempotencyKey(incoming.request, body))
      : undefined;
    const { query, issues } = judge(incoming, { parsed, body }, idempotencyKey);
    if (!route.collectsIssues && issues.length > 0) {
      await check();
      refuseWhenInvalid(issues);
    }
    const call = new RouteCall(route, {
      kernel,
      context,
      act,
      incoming,
      presented,
      proved: undefined,
      check,
      body,
      query,
      issues,
      idempotencyKey,
    });
    try {
      const result = await route.run(call);
      return toOutgoing(kernel, route, result, rate?.headers, incoming.requestId);
    } finally {
      call.end();
    }
  };
}

async function readKey(
  check: () => Promise<unknown>,
  read: () => string | undefined,
): Promise<string | undefined> {
  try {
    return read();
  } catch (mismatch) {
    await check();
    throw mismatch;
  }
}
