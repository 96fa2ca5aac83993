import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { succeed } from '../people/merchants.ts';
import { deviceOf, type TestDevice } from '../people/wallets.ts';
import type { Body, Caller } from '../service/client.ts';
import { type ReceivedRequest, startHttpReceiver, type TestReceiver } from './http-receiver.ts';

/** A push service on this machine: it believes nothing that it has not verified, and opens what browsers would. */
export interface TestPushService extends TestReceiver {
  /** As a browser would make one. */
  subscription(): TestSubscription;
  /** Everything that came for it, opened: those whose signature or seal is wrong throw. */
  messages(subscription: TestSubscription, publicKey: string): string[];
}

export interface TestSubscription {
  body: { endpoint: string; keys: { p256dh: string; auth: string } };
  pair: ECDH;
  auth: Buffer;
}

export async function startPushService(): Promise<TestPushService> {
  const receiver = await startHttpReceiver();
  receiver.script({ kind: 'answer', status: 201 });
  return Object.assign(receiver, {
    subscription(): TestSubscription {
      const pair = createECDH('prime256v1');
      const p256dh = pair.generateKeys().toString('base64url');
      const auth = randomBytes(16);
      const endpoint = `${receiver.url}/push/${randomBytes(8).toString('hex')}`;
      return { body: { endpoint, keys: { p256dh, auth: auth.toString('base64url') } }, pair, auth };
    },
    messages: (subscription: TestSubscription, publicKey: string) =>
      sentTo(receiver, subscription).map((request) => {
        claimsIn(request, publicKey);
        return openMessage(request.body, subscription);
      }),
  });
}

export function sentTo(receiver: TestReceiver, { body }: TestSubscription): ReceivedRequest[] {
  const { pathname } = new URL(body.endpoint);
  return receiver.requests.filter(({ path }) => path === pathname);
}

/** The claims of the token, once its signature is verified with this key. */
export function claimsIn({ headers }: ReceivedRequest, publicKey: string): Body {
  const [, token = '', key] =
    /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]+)$/.exec(headers['authorization'] ?? '') ?? [];
  if (key !== publicKey) throw new Error('signed under another key');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const [head = '', claims = '', signature = ''] = token.split('.');
  const isTrue = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  );
  if (!isTrue) throw new Error('the signature does not hold');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

/** RFC 8291 from the browser's side. */
function openMessage(body: Buffer, { pair, auth }: Pick<TestSubscription, 'pair' | 'auth'>): string {
  const salt = body.subarray(0, 16);
  const end = 21 + body.readUInt8(20);
  const sender = body.subarray(21, end);
  const derive = (secret: Uint8Array, from: Uint8Array, info: Uint8Array | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const key = derive(pair.computeSecret(sender), auth, info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  decipher.setAuthTag(body.subarray(-16));
  const record = Buffer.concat([decipher.update(body.subarray(end, -16)), decipher.final()]);
  return record.subarray(0, record.lastIndexOf(2)).toString('utf8');
}

/** The device as the service shows it then. */
export async function subscribeDevice(
  service: { call: Caller },
  device: Pick<TestDevice, 'device_id' | 'token'>,
  { body }: TestSubscription,
): Promise<Body> {
  const path = `/v1/wallet-devices/${device.device_id}/push-subscription`;
  return (await succeed(service.call('PUT', path, { device: deviceOf(device), body }))).body.device;
}

export async function pushKeyOf(service: { call: Caller }): Promise<string> {
  return (await succeed(service.call('GET', '/v1/push-key'))).body.public_key;
}
