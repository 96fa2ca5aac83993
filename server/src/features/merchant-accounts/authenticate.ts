import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { unauthenticated } from '../../http/credentials.ts';
import type { MerchantPrincipal, PresentedCredential } from '../../http/principals.ts';
import { addMs } from '../../lib/clock.ts';
import { csrfTokenOf } from './cookie.ts';
import { SESSION_IDLE_MS } from './lifetimes.ts';
import { findSessionInUse } from './session-sql.ts';

/** Uses within this time count as one; the idle limit is longer by as much, so that no use is ever lost. */
const NOTE_EVERY_MS = 250;

export async function authenticateMerchant(
  context: Context,
  presented: PresentedCredential,
  now: Date,
): Promise<MerchantPrincipal> {
  const idleSince = addMs(now, -SESSION_IDLE_MS - NOTE_EVERY_MS);
  const notedBefore = addMs(now, -NOTE_EVERY_MS);
  const session = await findSessionInUse(context.db, presented.tokenHash, { now, notedBefore, idleSince });
  if (!session) throw unauthenticated();
  if (session.ended_at !== null || session.role === null)
    throw new AppError('token_revoked', { message: 'This session has been signed out. Sign in again.' });
  if (now > session.expires_at || session.last_seen_at < idleSince)
    throw new AppError('token_expired', {
      message: 'The session has expired: 30 minutes without use, or 12 hours in total. Sign in again.',
    });
  return {
    kind: 'merchant',
    merchantId: session.merchant_id,
    merchantStatus: session.merchant_status,
    accountId: session.account_id,
    role: session.role,
    fourEyes: session.four_eyes,
    factors: {
      hasPasskey: session.has_passkey,
      steppedUpAt: session.stepped_up_at,
      passkeyEffectiveAt: session.passkey_effective_at,
      recoversAt: session.recovers_at,
    },
    sessionId: session.session_id,
    csrfToken: csrfTokenOf(context.keys, {
      sessionId: session.session_id,
      csrfKeyId: session.csrf_key_id,
    }),
  };
}
