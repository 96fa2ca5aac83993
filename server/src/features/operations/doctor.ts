import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { notFound } from '../../errors.ts';
import type { Document } from '../../http/document.ts';
import { headerValues } from '../../http/headers.ts';
import { createClientAddress } from '../../lib/client-address.ts';
import type { Keys } from '../../lib/keys.ts';

/** How a call arrived at a process of the service. */
export interface Seen {
  peer: string;
  peer_is_trusted: boolean;
  forwarded_for: string | null;
}

export const DOCTOR_PATH = '/.well-known/svc-doctor.json';
export const DOCTOR_HEADER = 'svc-doctor';
const VALID_MS = 60_000;

/** Proves that the caller has the master key, for a minute. */
export function proofFor(keys: Keys, now: Date): string {
  const time = String(now.getTime());
  return `${keys.currentKeyId}.${time}.${keys.mac('doctor', keys.currentKeyId, time).toString('base64url')}`;
}

function isProof(keys: Keys, text: string, now: Date): boolean {
  const [keyId = '', time = '', mac = '', ...rest] = text.split('.');
  if (rest.length > 0 || !keys.keyIds.includes(keyId) || !/^\d{1,15}$/.test(time)) return false;
  if (Math.abs(now.getTime() - Number(time)) > VALID_MS) return false;
  const sent = Buffer.from(mac, 'base64url');
  const expected = keys.mac('doctor', keyId, time);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** For `payassent doctor`: how its own call arrived here. For every other caller this path does not exist. */
export const doctorDocument: Document = {
  method: 'GET',
  path: DOCTOR_PATH,
  serve({ config, keys }, request) {
    const [proof = '', ...more] = headerValues(request, DOCTOR_HEADER);
    if (more.length > 0 || !isProof(keys, proof, new Date())) throw notFound();
    const body = JSON.stringify(seenIn(request, config.trustedProxies));
    return { contentType: 'application/json; charset=utf-8', body };
  },
};

function seenIn(request: IncomingMessage, trustedProxies: readonly string[]): Seen {
  const peer = createClientAddress([])(request.socket.remoteAddress ?? '', undefined);
  // A trusted peer's statement about its caller is taken, whatever it is.
  const believed = createClientAddress(trustedProxies)(peer, '192.0.2.1');
  return {
    peer,
    peer_is_trusted: believed !== peer,
    forwarded_for: headerValues(request, 'x-forwarded-for').join(', ') || null,
  };
}
