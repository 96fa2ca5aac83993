import { type LoopbackAnswer, type LoopbackRequest, plainAnswer } from '../loopback-server.ts';
import type { ReceivedWebhook } from '../webhook-receiver.ts';
import { html, jsonAnswer, page, STYLE } from './html.ts';
import { table } from './mail-viewer.ts';

export interface ReceiverState {
  received(): readonly ReceivedWebhook[];
  secretCount(): number;
  addSecret(secret: string): void;
  clearSecrets(): void;
  failOnce(containing: string): void;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** What is no webhook: the list of what arrived, and the receiver's secrets. */
export function receiverPages(state: ReceiverState): (request: LoopbackRequest) => LoopbackAnswer {
  return ({ method, path, body }) => {
    if (path === '/secret') return changeSecret(state, method, body.toString('utf8').trim());
    if (path === '/fail' && method === 'PUT') return fail(state, body.toString('utf8').trim());
    if (method !== 'GET') return plainAnswer(405, 'Webhooks are posted here; PUT /secret gives the secret.');
    if (path === '/') return overview(state);
    if (path === '/style.css') return STYLE;
    if (path === '/webhooks.json') return jsonAnswer(state.received().map(summaryOf));
    return plainAnswer(404, 'Nothing is here.');
  };
}

function changeSecret(state: ReceiverState, method: string, secret: string): LoopbackAnswer {
  if (method === 'DELETE') {
    state.clearSecrets();
    return plainAnswer(200, 'All secrets are forgotten.');
  }
  if (method !== 'PUT') return plainAnswer(405, 'PUT adds a secret, DELETE forgets all of them.');
  if (!SECRET.test(secret)) return plainAnswer(400, 'Send the secret as the body: whsec_ and 44 characters.');
  state.addSecret(secret);
  return plainAnswer(200, 'The secret is known. Verify the endpoint now.');
}

function fail(state: ReceiverState, containing: string): LoopbackAnswer {
  if (!/^[\w-]{1,100}$/.test(containing))
    return plainAnswer(400, 'Send what the message contains as the body.');
  state.failOnce(containing);
  return plainAnswer(200, `The next message with ${containing} is answered with 500.`);
}

function summaryOf({ receivedAt, path, event, refusal, isRepetition, body }: ReceivedWebhook) {
  const verdict = refusal === undefined ? 'genuine' : `refused: ${refusal}`;
  return {
    received_at: receivedAt.toISOString(),
    path,
    verdict,
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

function overview(state: ReceiverState): LoopbackAnswer {
  const rows = state
    .received()
    .map(
      (webhook) => html`<tr>
<td>${webhook.receivedAt.toISOString().slice(11, 19)}</td>
<td class="${webhook.event === undefined ? 'refused' : 'genuine'}">${describeWebhook(webhook)}</td>
<td><details><summary>body</summary><pre>${webhook.body}</pre></details></td>
</tr>
`,
    )
    .toReversed();
  const secrets = state.secretCount();
  return page(
    'Webhooks',
    html`<h1>Webhooks</h1>
<p>${secrets === 0 ? 'No secret is known yet' : `Secrets known: ${secrets}`}. Add one:
<code>curl -X PUT http://127.0.0.1:8827/secret -d 'whsec_…'</code></p>
${rows.length === 0 ? html`<p>Nothing has arrived since the start.</p>` : table(['When (UTC)', 'What', ''], rows)}`,
    { refreshSeconds: 5 },
  );
}
