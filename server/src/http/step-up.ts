import { needsStepUp, STEP_UP_LIFE_MS } from '@payassent/protocol/api';
import { AppError } from '../errors.ts';
import { addMs } from '../lib/clock.ts';
import type { Factors, OperatorPrincipal } from '../principals.ts';
import type { Route } from './route.ts';

/** Only required of accounts that have a passkey: a session or a mailbox alone is then not enough. */
export function refuseWithoutStepUp(
  { authority }: Route,
  { factors }: OperatorPrincipal,
  body: Readonly<Record<string, unknown>>,
  now: Date,
): void {
  if (!authority || !factors.hasPasskey || !needsStepUp(authority, body)) return;
  if (factors.steppedUpAt && addMs(factors.steppedUpAt, STEP_UP_LIFE_MS) >= now) return;
  if (authority.stepUp === 'or recovered' && factors.recoversAt && factors.recoversAt <= now) return;
  throw stepUpRequired(factors, now);
}

export function stepUpRequired({ recoversAt }: Pick<Factors, 'recoversAt'>, now: Date): AppError {
  if (!recoversAt || recoversAt <= now) return new AppError('step_up_required');
  return new AppError('step_up_required', {
    message:
      'You signed in with a mailed link although you have a passkey: none is accepted in this session. Sign in with the passkey.',
    details: { possible_from: recoversAt.toISOString() },
  });
}
