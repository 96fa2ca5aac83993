import { AMOUNT, KEY } from './jobs.ts';

/** The bytes of requests as the SDK would send them, with only the headers that matter. */
export function get(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;
}

function post(path: string, headers: Readonly<Record<string, string>>, body: object): string {
  const text = JSON.stringify(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}content-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}

export function create(token: string, payee: { recipientId: string; versionId: string }): string {
  return post(
    '/v1/payment-requests',
    { authorization: `Bearer ${token}`, 'x-idempotency-key': KEY },
    {
      recipient_id: payee.recipientId,
      recipient_version_id: payee.versionId,
      payment: { amount: AMOUNT },
      policy: { requires_user_approval: true },
      source: { kind: 'checkout', order: 'A-20417' },
      display: { title: 'Two tickets', description: 'Evening show, row 7, seats 11 and 12' },
      metadata: { order_id: 'A-20417', cart: 'c81d' },
    },
  );
}

export function report(
  token: string,
  deviceId: string,
  requestId: string,
  connectionId: string,
  status: string,
): string {
  return post(
    `/v1/payment-requests/${requestId}/status`,
    {},
    { device_id: deviceId, token, connection_id: connectionId, status },
  );
}
