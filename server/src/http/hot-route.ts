import type { IncomingMessage } from 'node:http';
import { notFound, refuseWhenInvalid } from '../errors.ts';
import { RouteCall } from './call.ts';
import { countCall, guarded } from './callers.ts';
import type { Presented } from './credentials.ts';
import { headerValues } from './headers.ts';
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
    // A proof that is sent is checked, required or not.
    if (carriesProof(incoming.request, presented)) await check();
    const idempotencyKey = route.idempotent
      ? await afterCheck(check, () => readIdempotencyKey(incoming.request, body))
      : undefined;
    if (isLarge(incoming.body) && !isKnown(kernel, presented)) await check();
    const { query, issues } = await afterCheck(check, () =>
      judge(incoming, { parsed, body }, idempotencyKey),
    );
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

/** Not for a call within another one, whose proof has been checked. */
function carriesProof(request: IncomingMessage, { primary }: Presented): boolean {
  if (primary?.kind !== 'connection' || primary.provedBy !== undefined) return false;
  return headerValues(request, 'dpop').length > 0;
}

/** What `read` refuses is told only to a caller whose credential passes. */
async function afterCheck<Read>(check: () => Promise<unknown>, read: () => Read): Promise<Read> {
  try {
    return read();
  } catch (refusal) {
    await check();
    throw refusal;
  }
}

/** Bodies above this size are judged for known callers only: the work grows with the body. */
const LARGE_BODY_BYTES = 4 * 1024;

function isLarge(body: Buffer | undefined): boolean {
  return body !== undefined && body.length > LARGE_BODY_BYTES;
}

/** Its token has passed the ordinary check in this process. */
function isKnown({ owners }: Kernel, { primary, apiKey }: Presented): boolean {
  return owners.get(primary?.tokenHash ?? apiKey?.tokenHash ?? '') !== undefined;
}
