import type { ReportVerdict } from '@payassent/protocol';
import { AppError } from '../../errors.ts';

const CONFLICTS = {
  device: 'Another device already acted on this payment. Do not broadcast; reload it.',
  signed_elsewhere:
    'Another device of this wallet signed this payment, and only that device reports further. Do not broadcast. If that device is lost, send takeover: true.',
} as const;

/** The error for a wallet whose report is rejected, on both surfaces. */
export function reportRefusal<Status extends string>(
  verdict: Extract<ReportVerdict<Status>, { kind: 'refuse' }>,
  reported: { name: 'request' | 'payment'; status: Status },
  to: Status,
): AppError {
  const { name, status } = reported;
  switch (verdict.code) {
    case 'status_conflict':
      return verdict.because === 'tx_hash'
        ? new AppError('status_conflict', {
            ...(name === 'request' ? { field: 'tx_hash' } : {}),
            message: `The ${name} already has another tx_hash, which never changes. Do not broadcast; reload it.`,
            details: { status },
          })
        : new AppError('status_conflict', { message: CONFLICTS[verdict.because], details: { status } });
    case 'payment_request_expired':
      return new AppError('payment_request_expired');
    case 'invalid_status_transition':
      return impossibleMove(reported, to, verdict.allowed);
  }
}

export function impossibleMove<Status extends string>(
  { name, status }: { name: 'request' | 'payment'; status: Status },
  to: Status,
  allowed: readonly Status[],
): AppError {
  return new AppError('invalid_status_transition', {
    message: `A ${name} that is ${status} cannot become ${to}.`,
    details: { from: status, to, allowed },
  });
}
