import { orAborted } from '../core/clock.ts';
import { type Credential, checkedToken } from '../core/credential.ts';
import { ApiError } from '../errors/api-error.ts';

/** Fetches the token that replaced a rotated one. */
export type CollectToken = () => Promise<string>;

/**
 * A connection token. After a rotation by the wallet the agent collects the new one, once per call; a revoked token is
 * the user's last word and is not argued with.
 */
export function connectionCredential(first: string, collect: CollectToken | undefined): Credential {
  let token = checkedToken(first);
  let collecting: Promise<string> | undefined;
  return {
    headers: () => ({ authorization: `Bearer ${token}` }),
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
        // Refused for good: whoever asked is told about the rotation, not about this attempt to mend it.
        if (error instanceof ApiError && error.httpStatus < 500 && error.httpStatus !== 429) return false;
        throw error;
      }
    },
  };
}
