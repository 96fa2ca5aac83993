import { KIND } from '../../lib/tracing/index.ts';
import type { Handler, Kernel, Outgoing } from '../kernel.ts';
import type { Route } from '../route.ts';
import { toAppError } from '../wire-errors.ts';

/** Each call as a span. Costs a service without a collector nothing. */
export function traced({ context: { tracer } }: Kernel, route: Route, handle: Handler): Handler {
  if (!tracer) return handle;
  return async (incoming) => {
    const sent = incoming.request.headers['traceparent'];
    const task = {
      name: `${route.method} ${route.path}`,
      kind: KIND.server,
      traceparent: typeof sent === 'string' ? sent : undefined,
      attributes: {
        'http.request.method': route.method,
        'http.route': route.path,
        'payassent.request_id': incoming.requestId,
      },
    };
    // A refusal is an answer; only a fault of ours makes a span a failed one.
    const outcome = await tracer.run<Outgoing | { refused: unknown }>(task, async (attributes) => {
      tracer.note(incoming.request);
      try {
        const outgoing = await handle(incoming);
        attributes['http.response.status_code'] = outgoing.status;
        return outgoing;
      } catch (error) {
        const { code, httpStatus } = toAppError(error);
        attributes['http.response.status_code'] = httpStatus;
        attributes['error.type'] = code;
        if (httpStatus >= 500) throw error;
        return { refused: error };
      }
    });
    if ('refused' in outcome) throw outcome.refused;
    return outcome;
  };
}
