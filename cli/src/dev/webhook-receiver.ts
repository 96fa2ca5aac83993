import {
  verifyWebhook,
  type WebhookEvent,
  type WebhookRefusal,
  WebhookVerificationError,
} from '@payassent/sdk';
import { html, page, STYLE, table } from './html.ts';
import {
  jsonAnswer,
  type LoopbackAnswer,
  type LoopbackRequest,
  plainAnswer,
  startLoopbackServer,
} from './loopback-server.ts';

/** A message that was posted to the receiver, genuine or not. */
export interface ReceivedWebhook {
  receivedAt: Date;
  path: string;
  /** The exact text that was signed. */
  body: string;
  /** Present when signature and age were right. */
  event: WebhookEvent | undefined;
  /** Why it was refused, when it was. */
  refusal: WebhookRefusal | 'no_secret' | undefined;
  /** The same event has been received before: a merchant's own program would act only once. */
  isRepetition: boolean;
}

export interface WebhookReceiver {
  readonly port: number;
  /** Without a final slash; every path below it receives. */
  readonly url: string;
  /** A message is genuine when any of them signed it: one receiver may serve several endpoints. */
  readonly secrets: string[];
  close(): Promise<void>;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/**
 * A merchant's receiver with pages: verifies every message over its exact bytes, responds to the challenge, lists the
 * messages, and takes secrets and simulated outages from people who are trying things out.
 */
export async function startWebhookReceiver(options: {
  /** A free one unless stated. */
  port?: number;
  /** Those that are known; more are added. */
  secrets?: string[];
  /** The offset of the service's clock from this machine's: the age of messages is measured by the service's clock. */
  clockOffsetMs?(): number;
  /** Once a secret was added or deleted by a call. */
  onChange?(): void;
  onWebhook?(webhook: ReceivedWebhook): void;
}): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const { secrets = [], clockOffsetMs = () => 0 } = options;
  let failing: string | undefined;

  const receive = (request: LoopbackRequest): LoopbackAnswer => {
    const verdict = judge(request, secrets, Date.now() + clockOffsetMs());
    const { event } = verdict;
    const webhook: ReceivedWebhook = {
      receivedAt: new Date(),
      path: request.path,
      body: request.body.toString('utf8'),
      ...verdict,
      isRepetition: event !== undefined && received.some((each) => each.event?.id === event.id),
    };
    received.push(webhook);
    options.onWebhook?.(webhook);
    if (failing !== undefined && webhook.body.includes(failing)) {
      failing = undefined;
      return plainAnswer(500, 'Broken on purpose.');
    }
    if (event?.type === 'webhook.verification')
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: event.data.challenge };
    return event === undefined ? plainAnswer(400, 'Not accepted.') : { status: 204 };
  };

  /** `PUT /secret` adds one, `PUT /fail` breaks the receiver for the next message that contains the body. */
  const change = ({ method, path, body }: LoopbackRequest): LoopbackAnswer => {
    const text = body.toString('utf8').trim();
    if (path === '/secret' && method === 'DELETE') {
      secrets.length = 0;
      return plainAnswer(200, 'All secrets are deleted.');
    }
    if (path === '/secret' && method === 'PUT') {
      if (!SECRET.test(text))
        return plainAnswer(400, 'Send the secret as the body: whsec_ and 44 characters.');
      if (!secrets.includes(text)) secrets.push(text);
      return plainAnswer(200, 'The secret is known. Verify the endpoint now.');
    }
    if (path === '/fail' && method === 'PUT') {
      if (!/^[\w-]{1,100}$/.test(text))
        return plainAnswer(400, 'Send what the message contains as the body.');
      failing = text;
      return plainAnswer(200, `The next message with ${text} gets 500.`);
    }
    return plainAnswer(
      405,
      'Webhooks are posted here; PUT /secret adds a secret, DELETE /secret deletes all.',
    );
  };

  const server = await startLoopbackServer((request) => {
    if (request.method === 'POST') return receive(request);
    if (request.method !== 'GET') {
      const answer = change(request);
      options.onChange?.();
      return answer;
    }
    if (request.path === '/') return overview(received, secrets.length, request.origin);
    if (request.path === '/style.css') return STYLE;
    if (request.path === '/webhooks.json') return jsonAnswer(received.map(summaryOf));
    return plainAnswer(404, 'Nothing is here.');
  }, options.port);
  return { ...server, secrets };
}

function judge(
  { body, headers }: LoopbackRequest,
  secrets: readonly string[],
  now: number,
): Pick<ReceivedWebhook, 'event' | 'refusal'> {
  if (secrets.length === 0) return { event: undefined, refusal: 'no_secret' };
  try {
    return { event: verifyWebhook({ body, headers, secret: secrets, now }), refusal: undefined };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { event: undefined, refusal: error.reason };
  }
}

function summaryOf({ receivedAt, path, event, refusal, isRepetition, body }: ReceivedWebhook) {
  return {
    received_at: receivedAt.toISOString(),
    path,
    verdict: refusal === undefined ? 'genuine' : `refused: ${refusal}`,
    is_repetition: isRepetition,
    event: event ?? body,
  };
}

/** For the page and for the console. */
export function describeWebhook({ event, refusal, isRepetition }: ReceivedWebhook): string {
  if (event === undefined)
    return refusal === 'no_secret' ? 'refused: the receiver knows no secret' : `refused: ${refusal}`;
  return `${event.type} ${event.id}${isRepetition ? ' (again)' : ''}`;
}

function overview(received: readonly ReceivedWebhook[], secrets: number, origin: string): LoopbackAnswer {
  const rows = received
    .map(
      (webhook) => html`<tr>
<td>${webhook.receivedAt.toISOString().slice(11, 19)}</td>
<td class="${webhook.event === undefined ? 'refused' : 'genuine'}">${describeWebhook(webhook)}</td>
<td><details><summary>body</summary><pre>${webhook.body}</pre></details></td>
</tr>
`,
    )
    .toReversed();
  return page(
    'Webhooks',
    html`<h1>Webhooks</h1>
<p>${secrets === 0 ? 'No secret is known yet' : `Secrets known: ${secrets}`}. Add one:
<code>curl -X PUT ${origin}/secret -d 'whsec_…'</code></p>
${rows.length === 0 ? html`<p>Nothing has arrived since the start.</p>` : table(['When (UTC)', 'What', ''], rows)}`,
    { refreshSeconds: 5 },
  );
}
