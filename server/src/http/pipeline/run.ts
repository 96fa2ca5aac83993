import { exactJson } from '@payassent/protocol';
import { authorityKey } from '@payassent/protocol/api';
import type { Kernel, Outgoing } from '../kernel.ts';
import { type Answer, isAnswer, Members, type Route } from '../route.ts';
import type { RouteCall } from './call.ts';
import { compileCarryOut, runOrKeep } from './four-eyes.ts';
import { compileBodyCheck } from './inputs.ts';

/** The last step: the route itself. What needs a second owner is kept for one. */
export function compileRun(kernel: Kernel, route: Route): (call: RouteCall) => Promise<void> {
  const needsTwo = route.authority?.fourEyes !== undefined;
  if (needsTwo) {
    const findIssues = compileBodyCheck(kernel, route);
    kernel.keptCalls.set(
      authorityKey(route),
      compileCarryOut(kernel, route, (body) => findIssues(body, body)),
    );
  }
  return async (call) => {
    try {
      const result = await (needsTwo ? runOrKeep(kernel, route, call) : route.run(call));
      call.outgoing = toOutgoing(kernel, route, result, call.rate?.headers, call.incoming.requestId);
    } finally {
      call.end();
    }
  };
}

/** What a route returns, as it leaves. */
function toOutgoing(
  kernel: Kernel,
  route: Route,
  result: Answer | Record<string, unknown>,
  rateHeaders: Record<string, string> | undefined,
  requestId: string,
): Outgoing {
  const given: Answer = isAnswer(result) ? result : { body: result };
  const status = given.status ?? route.status ?? 200;
  const headers =
    (rateHeaders && given.headers ? { ...rateHeaders, ...given.headers } : given.headers) ?? rateHeaders;
  if (given.stream) return { status, headers, text: '', stream: given.stream };
  const { body } = given;
  if (body instanceof Members)
    return { status, headers, text: inEnvelope(kernel, route, body.text, requestId) };
  const whole = typeof body === 'string' ? body : exactJson(body);
  const text = route.isBare ? whole : inEnvelope(kernel, route, whole.slice(1, -1), requestId);
  return { status, headers, text };
}

function inEnvelope(kernel: Kernel, { surface }: Route, members: string, requestId: string): string {
  return surface === 'first' ? firstEnvelope(members) : secondEnvelope(kernel, members, requestId);
}

/** `{"ok":true,…}`: the members follow as they are written. */
function firstEnvelope(members: string): string {
  return members === '' ? '{"ok":true}' : `{"ok":true,${members}}`;
}

function secondEnvelope(kernel: Kernel, members: string, requestId: string): string {
  const timestamp = kernel.context.clock.now().toISOString();
  return `{"success":true,"data":{${members}},"request_id":${JSON.stringify(requestId)},"timestamp":"${timestamp}"}`;
}
