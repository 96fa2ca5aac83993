import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { signWebhook } from '@payassent/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const receivers: WebhookReceiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

async function start(...secrets: string[]): Promise<WebhookReceiver & { received: ReceivedWebhook[] }> {
  const received: ReceivedWebhook[] = [];
  const receiver = await startWebhookReceiver({ onWebhook: (webhook) => received.push(webhook) });
  receiver.secrets.push(...secrets);
  receivers.push(receiver);
  return { ...receiver, received };
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

function messageOf(id: string, type: string, data: object): string {
  return JSON.stringify({ id, type, timestamp: new Date().toISOString(), data });
}

function post(receiver: WebhookReceiver, secret: string, id: string, body: string, signed = body) {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    ...signWebhook({ id, timestampSeconds, body: signed, secrets: [secret] }),
  };
  return fetch(`${receiver.url}/hooks`, { method: 'POST', headers, body });
}

describe('the webhook receiver', () => {
  it('responds to the challenge only when it is signed with a secret that it was given', async () => {
    const secret = newSecret();
    const receiver = await start();
    const body = messageOf('evt_1', 'webhook.verification', { challenge: 'abc' });
    expect((await post(receiver, secret, 'evt_1', body)).status).toBe(400);
    expect(receiver.received[0]).toMatchObject({ event: undefined, refusal: 'no_secret' });
    receiver.secrets.push(newSecret());
    expect((await post(receiver, secret, 'evt_1', body)).status).toBe(400);
    receiver.secrets.push(secret);
    const answer = await post(receiver, secret, 'evt_1', body);
    expect([answer.status, await answer.text()]).toEqual([200, 'abc']);
  });

  it('keeps each message, distinguishes forged messages from genuine ones and recognises a repetition', async () => {
    const secret = newSecret();
    const receiver = await start(secret);
    const body = messageOf('evt_2', 'connection.created', { connection: { connection_id: 'con_1' } });
    const forged = body.replace('con_1', 'con_2');
    expect((await post(receiver, secret, 'evt_2', forged, body)).status).toBe(400);
    expect((await post(receiver, secret, 'evt_2', body)).status).toBe(204);
    expect(receiver.received.at(-1)?.body).toBe(body);
    expect((await post(receiver, secret, 'evt_2', body)).status).toBe(204);
    expect(receiver.received.map(({ refusal, isRepetition }) => [refusal, isRepetition])).toEqual([
      ['signature_mismatch', false],
      [undefined, false],
      [undefined, true],
    ]);
    const listed = await (await fetch(`${receiver.url}/webhooks.json`)).json();
    expect(listed).toMatchObject([
      { verdict: 'refused: signature_mismatch' },
      { verdict: 'genuine', is_repetition: false },
      { verdict: 'genuine', is_repetition: true },
    ]);
  });

  it('shows on its page how to give it a secret at its address', async () => {
    const receiver = await start();
    const shown = await (await fetch(receiver.url)).text();
    expect(shown).toContain(`curl -X PUT ${receiver.url}/secret -d`);
  });

  it('serves no one who reached it under a foreign name', async () => {
    const receiver = await start();
    const status = await new Promise((resolve) => {
      request(receiver.url, { headers: { host: 'rebound.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end();
    });
    expect(status).toBe(421);
    expect((await fetch(receiver.url)).status).toBe(200);
  });
});
