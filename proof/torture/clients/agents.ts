import { signAssertion } from '../../stage/people/agents.ts';
import type { Body, Caller, Received } from '../../stage/service/client.ts';
import { type Action, type Actions, amount, codeOf, livingLink, need, race, type Scene } from './act.ts';
import { at, type KnownRequest, type Link, type ProjectAgent, remember } from './known-world.ts';

/** A fresh agent token; a wrong clock is corrected by the error's details. */
export async function agentToken(scene: Scene, agent: ProjectAgent, call = scene.call): Promise<string> {
  const exchange = (now: Date) =>
    call('POST', '/v1/agent-auth/token', {
      body: { assertion: signAssertion({ url: scene.world.stage.url }, agent, { now }) },
    });
  const first = await exchange(new Date());
  if (codeOf(first) !== 'assertion_clock_skew') return (await need(Promise.resolve(first))).agent_token;
  return (await need(exchange(new Date(first.body.error.details.server_time)))).agent_token;
}

/** A call with the connection's token; a rotated one is collected again, as the error instructs. */
export async function withToken(
  scene: Scene,
  link: Link,
  send: (bearer: string) => Promise<Received>,
): Promise<Received> {
  const received = await send(link.token);
  if (received.status !== 401) return received;
  if (codeOf(received) === 'token_revoked') link.isRevoked = true;
  if (codeOf(received) !== 'token_rotated') return received;
  const bearer = await agentToken(scene, link.agent);
  const path = `/v1/connections/${link.connectionId}/collect-token`;
  link.token = (await need(scene.call('POST', path, { bearer }))).connection_token;
  return send(link.token);
}

function newRequest(scene: Scene, link: Link): KnownRequest {
  const { random, world } = scene;
  const payee = at(link.tenant.payees, random.int(3));
  const transaction = random.chance(0.3) ? random.pick(link.transactions) : undefined;
  const body = {
    recipient_id: payee.recipientId,
    ...(random.chance(0.5) ? { recipient_version_id: payee.recipientVersionId } : {}),
    payment: { amount: amount(random) },
    policy: { requires_user_approval: true },
    ...(random.chance(0.25)
      ? { expires_at: new Date(Date.now() + random.between(500, 6000)).toISOString() }
      : {}),
    ...(random.chance(0.4) ? { metadata: { order: world.nextName(), note: 'über — 支払い' } } : {}),
    ...(transaction === undefined ? {} : { transaction_id: transaction }),
    ...(random.chance(0.1) ? { request_id: orderOf(scene, link) } : {}),
  };
  return { key: `key-${world.nextName()}`, body };
}

/** Ids are unique per connection, so that customers of one merchant may have the same; strangers never do. */
function orderOf({ random, world }: Scene, { tenant }: Link): string {
  return `order-${tenant.index}-${random.chance(0.5) ? world.nextName() : random.int(200)}`;
}

function send(call: Caller, bearer: string, request: KnownRequest): Promise<Received> {
  return call('POST', '/v1/payment-requests', { bearer, idempotencyKey: request.key, body: request.body });
}

/** A small request for a payee; its record. */
export async function askFor(
  scene: Scene,
  link: Link,
  of: { recipientId: string; amount?: string },
): Promise<Body> {
  const body = {
    recipient_id: of.recipientId,
    payment: { amount: of.amount ?? amount(scene.random) },
    policy: { requires_user_approval: true },
  };
  const request = { key: `key-${scene.world.nextName()}`, body };
  return (await need(withToken(scene, link, (bearer) => send(scene.call, bearer, request)))).payment_request;
}

function learn(request: KnownRequest, received: Received): void {
  if (received.status < 300) request.requestId = received.body.payment_request.request_id;
}

const create: Action = async (scene) => {
  const link = livingLink(scene);
  const request = newRequest(scene, link);
  remember(link.requests, request);
  learn(request, await withToken(scene, link, (bearer) => send(scene.call, bearer, request)));
};

/** The same create several times concurrently, over both processes. */
const createAtOnce: Action = async (scene) => {
  const link = livingLink(scene);
  const request = newRequest(scene, link);
  remember(link.requests, request);
  const copies = Array.from({ length: scene.random.between(2, 5) }, () =>
    send(scene.call, link.token, request),
  );
  for (const received of await race(copies)) learn(request, received);
};

/** Several different ones at the same moment: company for whatever else happens to the connection then. */
export async function createSome(scene: Scene, link: Link, count: number): Promise<void> {
  const requests = Array.from({ length: count }, () => newRequest(scene, link));
  for (const request of requests) remember(link.requests, request);
  await race(requests.map((request) => send(scene.call, link.token, request)));
}

/** Whatever happened to the first one, the same again gives the same request; another body is refused. */
const createAgain: Action = async (scene) => {
  const { random } = scene;
  const link = livingLink(scene);
  const known = random.pick(link.requests);
  if (!known) return;
  if (random.chance(0.2)) {
    const other = { ...known.body, payment: { amount: `7${known.body.payment.amount}` } };
    const call = scene.callAs({ note: 'same key, other body' });
    await withToken(scene, link, (bearer) => send(call, bearer, { ...known, body: other }));
    return;
  }
  learn(known, await withToken(scene, link, (bearer) => send(scene.call, bearer, known)));
};

const postContext: Action = async (scene) => {
  const { random, world } = scene;
  const link = livingLink(scene);
  const again = random.chance(0.5) ? random.pick(link.transactions) : undefined;
  const body = {
    transaction_id: again ?? `tx-${world.nextName()}`,
    title: `Order ${world.nextName()}`,
    line_items: [{ label: 'tea', quantity: random.between(1, 9) }],
  };
  const made = await need(
    withToken(scene, link, (bearer) => scene.call('POST', '/v1/transaction-contexts', { bearer, body })),
  );
  if (!again) remember(link.transactions, made.transaction_context.transaction_id, 10);
};

const poll: Action = async (scene) => {
  const { random } = scene;
  const link = livingLink(scene);
  const query = {
    since: random.chance(0.2) ? random.int(link.cursor + 1) : link.cursor,
    limit: random.pick([1, 5, 100]) ?? 100,
    ...(random.chance(0.2) ? { wait: random.between(1, 3) } : {}),
  };
  const path = '/v1/payment-requests/events';
  const page = await need(withToken(scene, link, (bearer) => scene.call('GET', path, { bearer, query })));
  link.cursor = Math.max(link.cursor, page.next_cursor);
};

const read: Action = async (scene) => {
  const link = livingLink(scene);
  const id = scene.random.pick(link.requests)?.requestId;
  const path = id === undefined ? '/v1/payment-requests' : `/v1/payment-requests/${encodeURIComponent(id)}`;
  await withToken(scene, link, (bearer) => scene.call('GET', path, { bearer }));
};

/** One assertion, sent twice at the same moment: it is worth one token. */
const exchangeTwice: Action = async (scene) => {
  const { agent } = livingLink(scene);
  const assertion = signAssertion({ url: scene.world.stage.url }, agent);
  const exchange = () => scene.call('POST', '/v1/agent-auth/token', { body: { assertion } });
  await race([exchange(), exchange(), exchange()]);
};

export const AGENT_ACTIONS: Actions = [
  ['agent creates', create, 22],
  ['agent creates concurrently', createAtOnce, 8],
  ['agent creates again', createAgain, 8],
  ['agent posts a context', postContext, 3],
  ['agent polls', poll, 10],
  ['agent reads', read, 4],
  ['agent sends an assertion twice', exchangeTwice, 1],
];
