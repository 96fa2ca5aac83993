import type { Issue } from '@payassent/protocol';
import { exactJson } from '@payassent/protocol';
import { authorityKey, needsTwo } from '@payassent/protocol/api';
import { createAct } from '../../act.ts';
import { guardedDatabase, type Tx } from '../../db/open.ts';
import { AppError, refuseWhenInvalid, SecondOwnerNeeded } from '../../errors.ts';
import type { MerchantPrincipal, Principal } from '../../principals.ts';
import type { CarryOut, Kernel, Outgoing } from '../kernel.ts';
import { type Answer, isAnswer, Members, type Route } from '../route.ts';
import { boundContext } from './authenticate.ts';
import { RouteCall } from './call.ts';
import { compileBodyCheck } from './inputs.ts';

/** The last step: the route itself. A call that needs a second owner is stored for one. */
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

/** A route's result in the form in which it is sent. */
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

/*
 * Where an organization requires two owners, a sensitive call is rehearsed, which makes all its checks and changes
 * nothing, and is stored. So is a call that itself reports the need for a second owner. When another owner approves,
 * the very same call is carried out in the name of the requester.
 */

class Rehearsed extends Error {}

/** The result of a call: its own, or that it was stored for a second owner. */
async function runOrKeep(
  kernel: Kernel,
  route: Route,
  call: RouteCall,
): Promise<Answer | Record<string, unknown>> {
  const { authority } = route;
  const { principal } = call;
  if (!authority?.fourEyes || principal.kind !== 'merchant' || !needsTwo(authority, call.body))
    return route.run(call);
  const { context } = call;
  if (!principal.fourEyes) {
    const stillOne = once((tx) => refuseWhenTwoAreRequired(tx, principal));
    call.context = { ...context, db: guardedDatabase(context.db, stillOne) };
    return route.run(call).catch((error: unknown) => {
      if (!(error instanceof SecondOwnerNeeded)) throw error;
      call.context = context;
      return keep(kernel, route, call);
    });
  }
  await rehearse(route, call);
  return keep(kernel, route, call);
}

function keep(kernel: Kernel, route: Route, call: RouteCall): Promise<Answer> {
  return kernel.keepCall(call, { call: authorityKey(route), params: call.params, body: call.body });
}

/** For the transaction that makes the change, and not for later ones. */
function once(step: (tx: Tx) => Promise<void>): (tx: Tx) => Promise<void> {
  let isDone = false;
  return async (tx) => {
    if (isDone) return;
    await step(tx);
    isDone = true;
  };
}

/** Runs all checks and writes of the call, and rolls everything back. */
async function rehearse(route: Route, call: RouteCall): Promise<void> {
  const { context } = call;
  const undo = async () => {
    throw new Rehearsed();
  };
  call.context = { ...context, db: guardedDatabase(context.db, undo) };
  try {
    await route.run(call);
    throw new Error(`${route.method} ${route.path} can wait for a second owner, but has no transaction`);
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  } finally {
    call.context = context;
  }
}

/** Another owner has required two since this call began. */
async function refuseWhenTwoAreRequired(tx: Tx, { merchantId }: MerchantPrincipal): Promise<void> {
  const [row] = await tx<{ four_eyes: boolean }[]>`
    select four_eyes from merchants where merchant_id = ${merchantId}`;
  if (row?.four_eyes)
    throw new AppError('second_person_required', {
      message: 'This organization has just required two owners for such a change. Send the call again.',
    });
}

/**
 * Carries out a stored call of this route: with every check of its body again, and with the requester's role locked.
 */
function compileCarryOut(
  kernel: Kernel,
  route: Route,
  findBodyIssues: (body: Record<string, unknown>) => Issue[],
): CarryOut {
  return async (order, incoming) => {
    const issues = findBodyIssues(order.body);
    if (!route.collectsIssues) refuseWhenInvalid(issues);
    const principal: Principal = order.principal;
    const reach = boundContext(kernel.context, route, principal);
    const db = guardedDatabase(
      reach.db,
      once((tx) => order.beforeCommit(tx)),
    );
    const act = createAct(kernel.context, incoming.requestId, order.approval);
    const call = new RouteCall(kernel, route, { ...incoming, params: order.params }, act);
    Object.assign(call, {
      context: { ...reach, db },
      proved: { principal, companion: undefined },
      members: order.body,
      issues,
    });
    try {
      await route.run(call);
    } finally {
      call.end();
    }
  };
}
