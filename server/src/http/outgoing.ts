import { exactJson } from '@payassent/protocol';
import type { Kernel, Outgoing } from './kernel.ts';
import { type Answer, isAnswer, Members, type Route } from './route.ts';

/** What a route returns, as it leaves. */
export function toOutgoing(
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
