/*
 * The path of one request from its bytes to its response. `order.ts` lists the checks. The server and calls within
 * calls import it; every route passes all checks of its list, in the published order.
 */
import type { Handler, Kernel } from '../kernel.ts';
import type { Route } from '../route.ts';
import { toAppError } from '../wire-errors.ts';
import { RouteCall } from './call.ts';
import { countingStrangers } from './callers.ts';
import { HOT_STEPS, ORDINARY_STEPS } from './order.ts';

/** Builds the handler of a route: its checks, in the published order. */
export function compileRoute(kernel: Kernel, route: Route): Handler {
  const isHot = route.credentialCheck === 'statement';
  if (isHot && (route.screen || route.sameOriginOnly || route.authority?.fourEyes))
    throw new Error(`${route.method} ${route.path} declares checks that need a proved caller`);
  const steps = (isHot ? HOT_STEPS : ORDINARY_STEPS)
    .map((step) => step.compile(kernel, route))
    .filter((take) => take !== undefined);
  const handle: Handler = async (incoming) => {
    const call = new RouteCall(kernel, route, incoming);
    incoming.caller = call;
    for (const take of steps) {
      const pending = take(call);
      if (pending !== undefined) await pending;
    }
    return call.outgoing;
  };
  return observed(kernel, route, countingStrangers(kernel, route, handle));
}

/** Costs nothing without an observer. */
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
