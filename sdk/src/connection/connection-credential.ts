import { buildProof, encodeBase64Url } from '@payassent/protocol';
import { orAborted } from '../core/clock.ts';
import { type CallCredential, checkedToken } from '../core/credential.ts';
import type { Settings } from '../core/settings.ts';
import { ApiError, isOfSharedToken } from '../errors/api-error.ts';
import type { AgentKey } from '../keys/agent-key.ts';

/** Fetches the agent's private token. It must be stored before it is returned. */
export type CollectToken = () => Promise<string>;

/** Where the token of a connection comes from. */
interface TokenSource {
  /** The caller's token; the stored one is newer. */
  given: string | undefined;
  /** The token that this process or another has stored. */
  stored: () => Promise<string | undefined>;
  collect: CollectToken | undefined;
}

/**
 * A connection token. After a rotation by the wallet, or where a wallet has seen the token, the agent's private token
 * is read from the store, where another process may have put it, or collected, once per call; a revoked token is final.
 * With the agent's key every attempt carries a fresh proof, so that merchants can require it at any time.
 */
export function connectionCredential(
  settings: Settings,
  source: TokenSource,
  proofKey: AgentKey | undefined,
): CallCredential {
  if (source.given !== undefined) checkedToken(source.given, 'connectionToken');
  let token: string | undefined;
  const open = shared(() => firstToken(source));
  const replace = shared(() => nextToken(source, token));
  return {
    async headers(method, signal, url) {
      token ??= await orAborted(open(), signal);
      const sent = token;
      const authorization = `Bearer ${sent}`;
      if (!proofKey) return { authorization };
      const dpop = await buildProof({
        method,
        url,
        token: sent,
        publicKey: proofKey.publicKey,
        jti: encodeBase64Url(settings.randomBytes(16)),
        nowMs: settings.clock.now(),
        sign: (input) => proofKey.sign(input),
      });
      return { authorization, dpop };
    },
    async renew(refusal, used, signal) {
      if (refusal.code !== 'token_rotated' && !isOfSharedToken(refusal)) return false;
      if (used['authorization'] !== `Bearer ${token}`) return true;
      const next = await orAborted(replace(), signal);
      if (next === undefined) return false;
      token = next;
      return true;
    },
  };
}

/** Concurrent calls that need the same work share it. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= work().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

async function firstToken({ given, stored, collect }: TokenSource): Promise<string> {
  const kept = (await stored()) ?? given ?? (await collect?.());
  if (kept === undefined)
    throw new TypeError(
      'The store has no token of this connection: connect first, or give the client a connectionToken',
    );
  return checkedToken(kept, 'connectionToken');
}

/** Undefined when there is none: the caller then gets the rotation error, not the error of the attempt to fix it. */
async function nextToken(
  { given, stored, collect }: TokenSource,
  refused: string | undefined,
): Promise<string | undefined> {
  const newer = async () => {
    const kept = await stored();
    return kept === undefined || kept === refused ? undefined : checkedToken(kept, 'connectionToken');
  };
  const kept = await newer();
  if (kept !== undefined) return kept;
  try {
    if (collect) return checkedToken(await collect(), 'connectionToken');
  } catch (error) {
    const isRefused = error instanceof ApiError && error.httpStatus < 500 && error.httpStatus !== 429;
    if (!isRefused) throw error;
  }
  // Another process may have stored a token first, or the caller's token is newer than the stored one.
  return (await newer()) ?? (given === refused ? undefined : given);
}
