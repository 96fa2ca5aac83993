import type { IncomingMessage } from 'node:http';
import { checkToken, type TokenKind } from '@payassent/protocol';
import type { CredentialKind } from '@payassent/protocol/api';
import { AppError } from '../errors.ts';
import { hashSecret } from '../lib/keys.ts';
import type { PresentedCredential } from '../principals.ts';
import { headerValues } from './headers.ts';

export interface Presented {
  /** `Authorization`, else the wallet's fields, else the session cookie. */
  primary: PresentedCredential | undefined;
  /** `x-svc-api-key`, which may accompany a human credential on the second surface. */
  apiKey: PresentedCredential | undefined;
}

/** The credential kind of a token, by the token's prefix. */
const CREDENTIAL_OF_TOKEN: Partial<Record<TokenKind, CredentialKind>> = {
  agent: 'agent',
  claim: 'claim',
  connection: 'connection',
  device: 'wallet',
  api_key: 'api_key',
  admin_session: 'admin',
};

export const SESSION_COOKIES = { https: '__Host-svc_session', loopback: 'svc_session' } as const;

export interface CredentialSources {
  request: IncomingMessage;
  accepted: readonly CredentialKind[];
  /**
   * On the second surface an API key sent with a human credential is checked too, wherever that credential is accepted.
   */
  mayCarryKey: boolean;
  query: Record<string, unknown>;
  /** The wallet's fields are removed from it, so that the route's own schema need not know them. */
  body: Record<string, unknown> | undefined;
  cookieName: string;
}

/** Reads what was sent without querying the database. Anything ambiguous or malformed is rejected, never guessed. */
export function readCredentials(sources: CredentialSources): Presented {
  const { accepted } = sources;
  if (accepted.length === 0) return { primary: undefined, apiKey: undefined };
  const authorization = headerValues(sources.request, 'authorization');
  const device = accepted.includes('wallet') ? takeDeviceFields(sources) : [];
  const primary =
    authorization.length > 0 ? readBearer(authorization) : (readDevice(device) ?? readCookie(sources));
  const takesKey = accepted.includes('api_key') || (sources.mayCarryKey && primary !== undefined);
  const apiKey = takesKey ? readApiKey(sources.request) : undefined;
  if (primary && !accepted.includes(primary.kind))
    throw unauthenticated(needs(accepted, CREDENTIALS[primary.kind]));
  if (!primary && !apiKey) throw unauthenticated(needs(accepted, 'none'));
  return { primary, apiKey };
}

/** In the caller's words: the guide about authentication describes how each is sent. */
const CREDENTIALS: Readonly<Record<CredentialKind, string>> = {
  merchant: 'a session cookie',
  agent: 'an agent token',
  claim: 'a claim token',
  connection: 'a connection token',
  wallet: 'a device token',
  admin: 'an admin session',
  api_key: 'an API key',
};

function needs(accepted: readonly CredentialKind[], got: string): string {
  const kinds = accepted.map((kind) => CREDENTIALS[kind]);
  return `This call needs ${kinds.join(' or ')}; got ${got}.`;
}

export function unauthenticated(message?: string): AppError {
  return new AppError('unauthenticated', message === undefined ? {} : { message });
}

const BEARER = /^Bearer +([A-Za-z0-9_-]{1,200})$/i;
/** RFC 9449: the scheme of a token that is bound to a key. The agent's row determines whether it is bound. */
const DPOP = /^DPoP +([A-Za-z0-9_-]{1,200})$/i;

function readBearer(values: readonly string[]): PresentedCredential {
  if (values.length > 1)
    throw unauthenticated('Authorization was sent more than once with different values.');
  const sent = values[0] ?? '';
  const bearer = BEARER.exec(sent)?.[1];
  const token = bearer ?? DPOP.exec(sent)?.[1];
  if (!token) throw unauthenticated('Authorization must be "Bearer <token>".');
  const kind = credentialKindOf(token);
  if (bearer === undefined && kind !== 'connection') throw unauthenticated();
  // An API key belongs into its own header; a session cookie is never a bearer.
  if (!kind || kind === 'api_key') throw unauthenticated();
  return { kind, token, tokenHash: hashSecret(token) };
}

function readApiKey(request: IncomingMessage): PresentedCredential | undefined {
  const values = headerValues(request, 'x-svc-api-key');
  if (values.length === 0) return undefined;
  if (values.length > 1)
    throw unauthenticated('x-svc-api-key was sent more than once with different values.');
  const token = values[0] ?? '';
  if (credentialKindOf(token) !== 'api_key') throw unauthenticated();
  return { kind: 'api_key', token, tokenHash: hashSecret(token) };
}

function readCookie({ request, accepted, cookieName }: CredentialSources): PresentedCredential | undefined {
  if (!accepted.includes('merchant')) return undefined;
  const found = new Set<string>();
  for (const header of headerValues(request, 'cookie')) {
    for (const part of header.split(';')) {
      const [name, ...value] = part.trim().split('=');
      if (name === cookieName) found.add(value.join('='));
    }
  }
  if (found.size === 0) return undefined;
  if (found.size > 1)
    throw unauthenticated('The session cookie was sent more than once with different values.');
  const [token = ''] = found;
  if (checkToken(token) !== 'merchant_session') throw unauthenticated();
  return { kind: 'merchant', token, tokenHash: hashSecret(token) };
}

interface DeviceFields {
  deviceId: unknown;
  token: unknown;
}

/** `device_id` and `token`: in the body, in the query of a GET, in either for a DELETE. */
function takeDeviceFields({ request, query, body }: CredentialSources): DeviceFields[] {
  const sent: DeviceFields[] = [];
  if (body && (body['device_id'] !== undefined || body['token'] !== undefined)) {
    sent.push({ deviceId: body['device_id'], token: body['token'] });
    delete body['device_id'];
    delete body['token'];
  }
  const mayUseQuery = request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE';
  if (mayUseQuery && (query['device_id'] !== undefined || query['token'] !== undefined))
    sent.push({ deviceId: query['device_id'], token: query['token'] });
  return sent;
}

function readDevice([fields, other]: readonly DeviceFields[]): PresentedCredential | undefined {
  if (!fields) return undefined;
  const { deviceId, token } = fields;
  if (other && (other.token !== token || other.deviceId !== deviceId)) {
    throw unauthenticated('The device credential was sent twice with different values.');
  }
  if (typeof deviceId !== 'string' || typeof token !== 'string' || credentialKindOf(token) !== 'wallet') {
    throw unauthenticated('A wallet sends device_id and token, both as strings.');
  }
  return { kind: 'wallet', token, tokenHash: hashSecret(token), deviceId };
}

function credentialKindOf(token: string): CredentialKind | undefined {
  const kind = checkToken(token);
  return kind === undefined ? undefined : CREDENTIAL_OF_TOKEN[kind];
}
