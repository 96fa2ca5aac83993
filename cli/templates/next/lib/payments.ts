import { readFileSync } from 'node:fs';
import {
  AgentClient,
  ApiError,
  agentKeyFromSeed,
  outcome,
  type PaymentRequest,
  standing,
  verifyWebhook,
  WaitTimeoutError,
  WebhookVerificationError,
} from '@payassent/sdk';
import { fileStore } from '@payassent/sdk/node';

function setting(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: run "payassent dev" in this folder, or copy .env.example to .env`);
  return value;
}

// Keeps keys and tokens over restarts. Without it an order could be requested twice, or the agent be locked out.
const store = fileStore('data');

/** Opened by the first request: a build has no settings. */
function open() {
  const agent = new AgentClient({
    baseUrl: setting('PAYASSENT_BASE_URL'),
    agentId: setting('PAYASSENT_AGENT_ID'),
    kid: setting('PAYASSENT_KID'),
    key: agentKeyFromSeed(readFileSync(setting('PAYASSENT_KEY_FILE'), 'utf8').trim()),
    store,
  });
  return agent.connection({
    connectionId: setting('PAYASSENT_CONNECTION_ID'),
    connectionToken: setting('PAYASSENT_CONNECTION_TOKEN'),
  }).paymentRequests;
}
let opened: ReturnType<typeof open> | undefined;
const requests = () => {
  opened ??= open();
  return opened;
};

const describe = (request: PaymentRequest) => ({
  request_id: request.request_id,
  outcome: outcome(request),
  standing: standing(request),
});

/** Requests the payment of an order. The same order is never requested twice, however often this is called. */
export async function ask(order: string, amount: string) {
  const { payment_request } = await requests().create(
    {
      request_id: `order-${order}`,
      recipient_id: setting('PAYASSENT_RECIPIENT_ID'),
      payment: { amount },
      display: { title: `Order ${order}` },
    },
    { intent: `order ${order}` },
  );
  return describe(payment_request);
}

/** Waits a while for the decision. A wait that ends is not a denial: `outcome` is then still "waiting". */
export async function look(order: string, timeoutMs = 25_000) {
  try {
    return describe(await requests().waitForStatus(`order-${order}`, { timeoutMs }));
  } catch (error) {
    if (error instanceof WaitTimeoutError && error.paymentRequest) return describe(error.paymentRequest);
    throw error;
  }
}

/** Takes a webhook: its exact bytes and headers. Throws when it is not genuine. */
export async function hear(body: ArrayBuffer, headers: Headers): Promise<string | null> {
  const event = verifyWebhook({ body, headers, secret: setting('PAYASSENT_WEBHOOK_SECRET') });
  if (event.type === 'webhook.verification') return event.data.challenge;
  // A message may come twice, and only means that the record is worth reading.
  if ('payment_request' in event.data && !(await store.get(event.id))) {
    const { payment_request } = await requests().get(event.data.payment_request.request_id);
    console.log(`${payment_request.request_id} is ${standing(payment_request)}`);
    await store.set(event.id, 'heard');
  }
  return null;
}

/** The response to an expected error; anything else is a defect of this program. */
export function refusal(error: unknown): Response {
  if (error instanceof WebhookVerificationError) return new Response(null, { status: 400 });
  if (!(error instanceof ApiError)) throw error;
  const { code, message, httpStatus } = error;
  return Response.json({ error: code, message }, { status: httpStatus });
}
