import { isSecond, isShortText, type SignedParts, signCompact, splitCompact } from './compact-jws.ts';
import { verifyEd25519Strict } from './ed25519.ts';

/**
 * The assertion with which an agent proves who it is: a compact JWS signed with its Ed25519 key. Parsing is
 * pure and complete: what parses has the right form, and only the key, the audience, the clock and the replay
 * remain to be judged, in that order, by the caller.
 */
const ASSERTION_TYPE = 'svc-agent-assertion+jwt';
const ASSERTION_MAX_LIFETIME_SECONDS = 300;
const ASSERTION_SKEW_SECONDS = 60;
export const TOKEN_PATH = '/v1/agent-auth/token';
/** Longest kid, agent id, audience and jti together stay far below; longer input is not worth decoding. */
const ASSERTION_MAX_LENGTH = 8192;

const ALGORITHMS: readonly unknown[] = ['EdDSA', 'Ed25519'];
const TYPES: readonly unknown[] = [undefined, 'JWT', ASSERTION_TYPE];
/** Headers that name a key or demand something of the verifier: never followed, so never accepted. */
const FORBIDDEN_HEADERS = ['jku', 'jwk', 'x5u', 'crit'] as const;
const KID = /^[\x20-\x7e]{1,160}$/;

interface AssertionHeader {
  alg: 'EdDSA' | 'Ed25519';
  kid: string;
  typ?: string;
}

export interface AssertionClaims {
  iss: string;
  sub: string;
  aud: string;
  iat: number;
  exp: number;
  jti: string;
}

export interface Assertion extends Pick<SignedParts, 'signingInput' | 'signature'> {
  header: AssertionHeader;
  claims: AssertionClaims;
}

/** For logs and tests; callers of the API only ever learn `invalid_assertion`. */
type AssertionFault =
  | 'not_compact_jws'
  | 'header_not_json'
  | 'alg_not_allowed'
  | 'typ_not_allowed'
  | 'kid_invalid'
  | 'header_forbidden'
  | 'claims_not_json'
  | 'issuer_invalid'
  | 'audience_invalid'
  | 'times_invalid'
  | 'lifetime_invalid'
  | 'jti_invalid'
  | 'signature_malformed';

type ParsedAssertion = { ok: true; assertion: Assertion } | { ok: false; reason: AssertionFault };

export function parseAssertion(compact: string): ParsedAssertion {
  const parts = splitCompact(compact, ASSERTION_MAX_LENGTH);
  if (typeof parts === 'string') return fault(parts);
  const { header, claims, signingInput, signature } = parts;
  const problem = judgeHeader(header) ?? judgeClaims(claims);
  if (problem !== undefined) return fault(problem);
  return {
    ok: true,
    assertion: {
      // The two judges above have checked every member that the types name.
      header: header as unknown as AssertionHeader,
      claims: claims as unknown as AssertionClaims,
      signingInput,
      signature,
    },
  };
}

export function verifyAssertionSignature(assertion: Assertion, publicKey: Uint8Array): boolean {
  return verifyEd25519Strict(publicKey, assertion.signingInput, assertion.signature);
}

/** Only the clock; that the lifetime is allowed has been judged when parsing. */
export function judgeAssertionTimes(claims: AssertionClaims, nowMs: number): 'valid' | 'clock_skew' {
  const skewMs = ASSERTION_SKEW_SECONDS * 1000;
  const fromFuture = claims.iat * 1000 > nowMs + skewMs;
  const overLong = claims.exp * 1000 < nowMs - skewMs;
  return fromFuture || overLong ? 'clock_skew' : 'valid';
}

/** Until when a jti must be remembered: afterwards the clock alone refuses the assertion. */
export function assertionReplayUntilMs(claims: AssertionClaims): number {
  return (claims.exp + ASSERTION_SKEW_SECONDS) * 1000;
}

/** The base URL or the token URL, with at most one trailing slash; the three names of loopback are equal. */
export function isAssertionAudience(audience: string, baseUrl: string): boolean {
  const wanted = dropSlash(audience);
  return equalBaseUrls(baseUrl).some((base) => wanted === base || wanted === base + TOKEN_PATH);
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** A base URL in every spelling that counts as the same: itself and, on loopback, the other two hosts. */
export function equalBaseUrls(baseUrl: string): string[] {
  const base = dropSlash(baseUrl);
  const url = new URL(base);
  if (!LOOPBACK_HOSTS.includes(url.hostname)) return [base];
  const rest = `${url.port === '' ? '' : `:${url.port}`}${dropSlash(url.pathname)}`;
  const others = LOOPBACK_HOSTS.map((host) => `${url.protocol}//${host}${rest}`);
  return [base, ...others.filter((other) => other !== base)];
}

export interface AssertionInput {
  agentId: string;
  kid: string;
  /** The service's base URL. */
  audience: string;
  /** Fresh for every assertion, 1–160 characters. */
  jti: string;
  nowMs: number;
  lifetimeSeconds?: number;
  sign: (signingInput: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

export async function buildAssertion(input: AssertionInput): Promise<string> {
  const iat = Math.floor(input.nowMs / 1000);
  const header = { alg: 'EdDSA', typ: ASSERTION_TYPE, kid: input.kid };
  const claims: AssertionClaims = {
    iss: input.agentId,
    sub: input.agentId,
    aud: input.audience,
    iat,
    exp: iat + (input.lifetimeSeconds ?? 120),
    jti: input.jti,
  };
  const problem = judgeHeader(header) ?? judgeClaims({ ...claims });
  if (problem !== undefined) throw new RangeError(`buildAssertion: ${problem}`);
  return signCompact(header, claims, input.sign);
}

function judgeHeader(header: Record<string, unknown>): AssertionFault | undefined {
  if (FORBIDDEN_HEADERS.some((name) => Object.hasOwn(header, name))) return 'header_forbidden';
  if (!ALGORITHMS.includes(header.alg)) return 'alg_not_allowed';
  if (!TYPES.includes(header.typ)) return 'typ_not_allowed';
  if (typeof header.kid !== 'string' || !KID.test(header.kid)) return 'kid_invalid';
  return undefined;
}

function judgeClaims(claims: Record<string, unknown>): AssertionFault | undefined {
  const { iss, sub, aud, iat, exp, jti } = claims;
  if (!isShortText(iss) || iss !== sub) return 'issuer_invalid';
  if (typeof aud !== 'string' || aud === '') return 'audience_invalid';
  if (!isSecond(iat) || !isSecond(exp)) return 'times_invalid';
  if (exp <= iat || exp - iat > ASSERTION_MAX_LIFETIME_SECONDS) return 'lifetime_invalid';
  return isShortText(jti) ? undefined : 'jti_invalid';
}

function dropSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

function fault(reason: AssertionFault): ParsedAssertion {
  return { ok: false, reason };
}
