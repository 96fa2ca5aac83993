import { buildAssertion, encodeBase64Url } from '@payassent/protocol';
import type { AgentToken } from '../contract.ts';
import { createApi } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { orAborted } from '../core/clock.ts';
import type { CallCredential } from '../core/credential.ts';
import type { Settings } from '../core/settings.ts';
import type { AgentKey } from '../keys/agent-key.ts';
import { exchangeAgentAssertion } from '../operations.ts';

/** The agent that signs assertions. */
export interface AgentIdentity {
  agentId: string;
  kid: string;
  key: AgentKey;
}

/** A token this close to its end is not worth sending. */
const SPARE_MS = 30_000;

/** Exchanges one freshly signed assertion. Never retried automatically, because its jti works only once. */
export async function exchangeAssertion(
  settings: Settings,
  identity: AgentIdentity,
  options: CallOptions = {},
): Promise<AgentToken> {
  const assertion = await buildAssertion({
    agentId: identity.agentId,
    kid: identity.kid,
    audience: settings.baseUrl,
    jti: encodeBase64Url(settings.randomBytes(24)),
    nowMs: settings.clock.now(),
    sign: (input) => identity.key.sign(input),
  });
  return createApi(settings).call(exchangeAgentAssertion, { body: { assertion } }, options);
}

export interface AgentCredential extends CallCredential {
  token(signal?: AbortSignal): Promise<string>;
}

/**
 * Caches one token and fetches the next when it nears its end. Concurrent calls share one exchange, so that a burst of
 * calls needs one assertion.
 */
export function agentCredential(settings: Settings, identity: AgentIdentity): AgentCredential {
  let current: { token: string; staleAt: number } | undefined;
  let pending: Promise<string> | undefined;

  const refresh = () => {
    pending ??= exchangeAssertion(settings, identity)
      .then(({ agent_token, expires_in }) => {
        current = { token: agent_token, staleAt: settings.clock.now() + expires_in * 1000 - SPARE_MS };
        return agent_token;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  const token = (signal?: AbortSignal) => {
    if (current && settings.clock.now() < current.staleAt) return Promise.resolve(current.token);
    return orAborted(refresh(), signal);
  };
  return {
    token,
    async headers(_, signal) {
      return { authorization: `Bearer ${await token(signal)}` };
    },
    async renew(refusal, used, signal) {
      // A revoked credential stays revoked, and an error from the exchange itself is not retried.
      if (refusal.code === 'token_revoked') return false;
      if (current && used['authorization'] === `Bearer ${current.token}`) current = undefined;
      await token(signal);
      return true;
    },
  };
}
