import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Caller, Received } from '../service/client.ts';
import { sessionOf, succeed, type TestSession } from './merchants.ts';

/** A passkey in software: the assertions of a phone or a security key, and the forgeries of a thief. */
export interface Authenticator {
  credentialId: string;
  /** As COSE, base64url. */
  publicKey: string;
  register(options: Options, twist?: Twist): Record<string, unknown>;
  assert(options: Options, twist?: Twist): Record<string, unknown>;
  /** The next uses count on from here. */
  counter: number;
}

interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

/** What differs from an honest response. */
export interface Twist {
  origin?: string;
  rpId?: string;
  challenge?: string;
  userVerified?: boolean;
  crossOrigin?: boolean;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(32);
  const id = rawId.toString('base64url');
  let userHandle: string | undefined;
  const clientData = (type: string, options: Options, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: twist.challenge ?? options.challenge,
        origin: twist.origin ?? origin,
        crossOrigin: twist.crossOrigin ?? false,
        ...(twist.crossOrigin ? { topOrigin: 'https://frame.example' } : {}),
      }),
    );
  const authData = (options: Options, twist: Twist, attested?: Buffer) => {
    const verified = twist.userVerified === false ? 0 : FLAGS.verified;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(own.counter);
    const rpId = twist.rpId ?? options.rp?.id ?? options.rpId ?? '';
    const flags = FLAGS.present | verified | (attested ? FLAGS.attested : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)]);
  };
  const own: Authenticator = {
    credentialId: id,
    publicKey: coseKey(publicKey).toString('base64url'),
    counter: 0,
    register(options, twist = {}) {
      userHandle = options.user?.id;
      const idLength = Buffer.from([0, rawId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), idLength, rawId, coseKey(publicKey)]);
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData(options, twist, attested))],
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', options, twist).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
      };
    },
    assert(options, twist = {}) {
      own.counter += 1;
      const client = clientData('webauthn.get', options, twist);
      const data = authData(options, twist);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
        clientExtensionResults: {},
      };
    },
  };
  return own;
}

const PASSKEYS = '/v1/merchant-passkeys';

interface At {
  call: Caller;
  url: string;
}

/** Where the pages of a loopback service have passkeys. */
export function pageOrigin(url: string): string {
  return `http://localhost:${new URL(url).port}`;
}

export async function optionsFor({ call }: At, step: string, session?: TestSession): Promise<Options> {
  const sent = session ? { session } : {};
  return (await succeed(call('POST', `${PASSKEYS}/${step}-options`, sent))).body.options;
}

export async function registeredPasskey(
  service: At,
  session: TestSession,
  name = 'Phone',
): Promise<Authenticator & { passkeyId: string }> {
  const authenticator = createAuthenticator(pageOrigin(service.url));
  const options = await optionsFor(service, 'registration', session);
  const body = { name, credential: authenticator.register(options) };
  const made = await succeed(service.call('POST', PASSKEYS, { session, body }));
  return Object.assign(authenticator, { passkeyId: made.body.passkey.passkey_id as string });
}

export async function stepUp(
  service: At,
  session: TestSession,
  authenticator: Authenticator,
): Promise<Received> {
  const options = await optionsFor(service, 'step-up', session);
  const body = { credential: authenticator.assert(options) };
  return succeed(service.call('POST', `${PASSKEYS}/step-up`, { session, body }));
}

export async function signInWithPasskey(service: At, authenticator: Authenticator): Promise<TestSession> {
  const options = await optionsFor(service, 'sign-in');
  const body = { credential: authenticator.assert(options) };
  const { session_grant, merchants } = (await succeed(service.call('POST', `${PASSKEYS}/sign-in`, { body })))
    .body;
  const grant = { session_grant, choice_id: merchants[0].choice_id };
  return sessionOf(await succeed(service.call('POST', '/v1/merchant-sessions', { body: grant })));
}

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const small = (value: number) => Buffer.from([value >= 0 ? value : 0x20 + (-1 - value)]);
  return cborMap([
    [small(1), small(2)],
    [small(3), small(-7)],
    [small(-1), small(1)],
    [small(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [small(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ]);
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}

const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (entries: (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
