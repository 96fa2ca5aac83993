import { sha256 } from '@noble/hashes/sha2.js';
import { decodeBase64Url, encodeBase64Url } from '../encoding/base64.ts';
import { equalBaseUrls } from './agent-assertion.ts';
import { isSecond, isShortText, type SignedParts, signCompact, splitCompact } from './compact-jws.ts';
import { verifyEd25519Strict } from './ed25519.ts';

/**
 * Proof of possession after RFC 9449 (DPoP): with each call an agent shows that it holds the private key of one of its
 * credentials, so that its connection token alone opens nothing. Parsing and judging are pure; whose key it is, the
 * signature and the replay remain for the caller, in that order, because each costs more than the one before.
 */
export const PROOF_HEADER = 'DPoP';
const PROOF_TYPE = 'dpop+jwt';
const PROOF_SKEW_SECONDS = 60;
const PROOF_MAX_LENGTH = 4096;
export const PROOF_ALGORITHMS = ['EdDSA', 'Ed25519'] as const;

/** Headers that name a key elsewhere or demand something of the verifier: never followed, so never accepted. */
const FORBIDDEN_HEADERS = ['jku', 'x5u', 'crit'] as const;

interface ProofClaims {
  jti: string;
  /** The method of the call. */
  htm: string;
  /** Its URL, without query and fragment. */
  htu: string;
  iat: number;
  /** base64url of the SHA-256 of the token that is sent with it. */
  ath: string;
}

export interface PossessionProof extends Pick<SignedParts, 'signingInput' | 'signature'> {
  /** 32 bytes. */
  publicKey: Uint8Array;
  claims: ProofClaims;
}

export const PROOF_FAULTS = {
  malformed: 'the header DPoP must carry one compact JWS with the claims jti, htm, htu, iat and ath',
  type: 'its header must have typ dpop+jwt and alg EdDSA, and none of jku, x5u and crit',
  key: 'its header must have a jwk with kty OKP, crv Ed25519 and x, and no private member',
  token: 'ath is not the SHA-256 of the token that was sent',
  method: 'htm is not the method of this call',
  url: 'htu is not the URL of this call without its query',
  time: 'iat is more than 60 seconds away from the time of the service',
  unknown_key: 'jwk is not the key of an active credential of this agent',
  signature: 'the signature does not verify',
  replayed: 'its jti has been used before: sign a new proof for every attempt',
} as const;
export type ProofFault = keyof typeof PROOF_FAULTS;

type ParsedProof = { ok: true; proof: PossessionProof } | { ok: false; reason: ProofFault };

export function parseProof(compact: string): ParsedProof {
  const parts = splitCompact(compact, PROOF_MAX_LENGTH);
  if (typeof parts === 'string') return { ok: false, reason: 'malformed' };
  const { header, claims, signingInput, signature } = parts;
  const isForbidden = FORBIDDEN_HEADERS.some((name) => Object.hasOwn(header, name));
  const isKnownAlgorithm = (PROOF_ALGORITHMS as readonly unknown[]).includes(header['alg']);
  if (header['typ'] !== PROOF_TYPE || !isKnownAlgorithm || isForbidden) return { ok: false, reason: 'type' };
  const publicKey = readJwk(header['jwk']);
  if (publicKey === undefined) return { ok: false, reason: 'key' };
  if (!areClaims(claims)) return { ok: false, reason: 'malformed' };
  return { ok: true, proof: { publicKey, claims, signingInput, signature } };
}

interface ProvedCall {
  method: string;
  /** As it was sent, without the query. */
  path: string;
  token: string;
}

/** Everything but the key: that the proof was made for this call, with this token, now. */
export function judgeProof(
  { claims }: PossessionProof,
  call: ProvedCall,
  baseUrl: string,
  nowMs: number,
): ProofFault | undefined {
  if (claims.ath !== accessTokenHash(call.token)) return 'token';
  if (claims.htm !== call.method) return 'method';
  if (!isUrlOfCall(claims.htu, baseUrl, call.path)) return 'url';
  // In whole seconds, as `iat` has no others.
  const away = Math.abs(claims.iat - Math.floor(nowMs / 1000));
  return away <= PROOF_SKEW_SECONDS ? undefined : 'time';
}

export function verifyProofSignature(proof: PossessionProof): boolean {
  return verifyEd25519Strict(proof.publicKey, proof.signingInput, proof.signature);
}

/** Until when a jti must be remembered; twice the skew, because the clocks of two processes may differ too. */
export function proofReplayUntilMs(claims: ProofClaims): number {
  return (claims.iat + 2 * PROOF_SKEW_SECONDS + 1) * 1000;
}

interface ProofInput {
  method: string;
  /** Query and fragment are left out of the proof. */
  url: string;
  token: string;
  /** 32 bytes as base64url. */
  publicKey: string;
  /** Fresh for every attempt, 1–160 characters. */
  jti: string;
  nowMs: number;
  sign: (signingInput: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

export async function buildProof(input: ProofInput): Promise<string> {
  const url = new URL(input.url);
  const header = {
    typ: PROOF_TYPE,
    alg: 'EdDSA',
    jwk: { kty: 'OKP', crv: 'Ed25519', x: input.publicKey },
  };
  const claims: ProofClaims = {
    jti: input.jti,
    htm: input.method,
    htu: url.origin + url.pathname,
    iat: Math.floor(input.nowMs / 1000),
    ath: accessTokenHash(input.token),
  };
  if (readJwk(header.jwk) === undefined || !areClaims({ ...claims }))
    throw new RangeError('buildProof: a member is malformed');
  return signCompact(header, claims, input.sign);
}

function accessTokenHash(token: string): string {
  return encodeBase64Url(sha256(new TextEncoder().encode(token)));
}

/** Scheme, host and port by the rules of base URL equality, the path by its normal form. */
function isUrlOfCall(htu: string, baseUrl: string, path: string): boolean {
  if (/[?#]/.test(htu) || !URL.canParse(htu)) return false;
  const claimed = new URL(htu);
  if (claimed.username !== '' || claimed.password !== '') return false;
  return equalBaseUrls(baseUrl).some((base) => {
    const called = new URL(base + path);
    return called.origin === claimed.origin && called.pathname === claimed.pathname;
  });
}

function readJwk(jwk: unknown): Uint8Array | undefined {
  if (typeof jwk !== 'object' || jwk === null || Object.hasOwn(jwk, 'd')) return undefined;
  const { kty, crv, x } = jwk as Record<string, unknown>;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return undefined;
  const bytes = decodeBase64Url(x);
  return bytes?.length === 32 ? bytes : undefined;
}

function areClaims(claims: Record<string, unknown>): claims is Record<string, unknown> & ProofClaims {
  const { jti, htm, htu, iat, ath } = claims;
  return (
    isShortText(jti) &&
    typeof htm === 'string' &&
    typeof htu === 'string' &&
    isSecond(iat) &&
    typeof ath === 'string'
  );
}
