import { authorityKey } from '@payassent/protocol/api';
import { notFound, refuseWhenInvalid } from '../errors.ts';
import { refuseForeignOrigin } from './authenticate.ts';
import { boundContext } from './bound-context.ts';
import { RouteCall } from './call.ts';
import { countCall, countingStrangers, guarded } from './callers.ts';
import { compileCarryOut, runOrKeep } from './four-eyes.ts';
import { compileHotRoute } from './hot-route.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { compileBodyCheck, compileJudging, compileReading, namesNothing } from './inputs.ts';
import type { Handler, Kernel } from './kernel.ts';
import { toOutgoing } from './outgoing.ts';
import type { Principal } from './principals.ts';
import type { Route } from './route.ts';
import { refuseWithoutStepUp } from './step-up.ts';
import { toAppError } from './wire-errors.ts';

/** Builds the way of one request through the checks, in the published order. */
export function compileRoute(kernel: Kernel, route: Route): Handler {
  const compile = route.credentialCheck === 'statement' ? compileHotRoute : compileOrdinaryRoute;
  return observed(kernel, route, countingStrangers(kernel, route, compile(kernel, route)));
}

/** The way of an ordinary request: a straight list of checks, each done before the next one begins. */
function compileOrdinaryRoute(kernel: Kernel, route: Route): Handler {
  const { context } = kernel;
  const read = compileReading(kernel, route);
  const judge = compileJudging(kernel, route);
  const run = compileRun(kernel, route);

  return async (incoming) => {
    const { act, parsed, body, presented } = read(incoming);
    const { request, params } = incoming;
    const check = guarded(kernel, route, incoming, presented, act.now);
    const proved = route.credential.length > 0 ? await check() : undefined;
    if (proved) refuseByFactors(route, proved.principal, body ?? {}, act.now);
    const reach = proved ? boundContext(context, route, proved.principal) : context;
    if (namesNothing(params)) throw notFound();
    if (route.sameOriginOnly) refuseForeignOrigin(context, request);
    const rate = await countCall(kernel, route, incoming, { presented, proved, check }, act.now);
    const { principal, companion } = proved ?? {};
    const unread = { params, body: body ?? {}, query: incoming.query };
    await route.screen?.({ context: reach, principal, companion, ...unread });
    const idempotencyKey = route.idempotent ? readIdempotencyKey(request, body) : undefined;
    const { query, issues } = judge(incoming, { parsed, body }, idempotencyKey);
    if (!route.collectsIssues) refuseWhenInvalid(issues);
    const call = new RouteCall(route, {
      kernel,
      context: reach,
      act,
      incoming,
      presented,
      proved,
      check,
      body,
      query,
      issues,
      idempotencyKey,
    });
    try {
      const result = await run(call);
      return toOutgoing(kernel, route, result, rate?.headers, incoming.requestId);
    } finally {
      call.end();
    }
  };
}

/** What needs a second owner is kept for one. */
function compileRun(kernel: Kernel, route: Route): (call: RouteCall) => ReturnType<Route['run']> {
  if (!route.authority?.fourEyes) return (call) => route.run(call);
  const findIssues = compileBodyCheck(kernel, route);
  kernel.keptCalls.set(
    authorityKey(route),
    compileCarryOut(kernel, route, (body) => findIssues(body, body)),
  );
  return (call) => runOrKeep(kernel, route, call);
}

function refuseByFactors(
  route: Route,
  principal: Principal,
  body: Readonly<Record<string, unknown>>,
  now: Date,
): void {
  if (route.authority?.stepUp && (principal.kind === 'merchant' || principal.kind === 'admin'))
    refuseWithoutStepUp(route, principal, body, now);
}

/** Costs a service that nobody observes nothing. */
function observed(kernel: Kernel, route: Route, handle: Handler): Handler {
  const { observe } = kernel;
  if (!observe) return handle;
  return async (incoming) => {
    const outcome = await handle(incoming).catch((error: unknown) => {
      observe(route, incoming, toAppError(error));
      throw error;
    });
    observe(route, incoming, outcome);
    return outcome;
  };
}
