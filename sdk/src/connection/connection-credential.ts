import { buildProof, encodeBase64Url } from '@payassent/protocol';
import { orAborted } from '../core/clock.ts';
import { type Credential, checkedToken } from '../core/credential.ts';
import type { Settings } from '../core/settings.ts';
import { ApiError } from '../errors/api-error.ts';
import type { AgentKey } from '../keys/agent-key.ts';

/** Fetches the token that replaced a rotated one. */
export type CollectToken = () => Promise<string>;

/**
 * A connection token. After a rotation by the wallet the agent collects the new one, once per call; a revoked token is
 * the user's last word and is not argued with. With the agent's key every attempt carries a proof of its own, so that
 * merchants can require it at any time.
 */
export function connectionCredential(
  settings: Settings,
  first: string,
  collect: CollectToken | undefined,
  proofKey: AgentKey | undefined,
): Credential {
  let token = checkedToken(first);
  let collecting: Promise<string> | undefined;
  return {
    async headers(method, _, url) {
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
      if (refusal.code !== 'token_rotated' || !collect) return false;
      if (used['authorization'] !== `Bearer ${token}`) return true;
      collecting ??= collect().finally(() => {
        collecting = undefined;
      });
      try {
        token = checkedToken(await orAborted(collecting, signal));
        return true;
      } catch (error) {
        // Refused for good: the caller is told about the rotation, not about this attempt to fix it.
        if (error instanceof ApiError && error.httpStatus < 500 && error.httpStatus !== 429) return false;
        throw error;
      }
    },
  };
}
