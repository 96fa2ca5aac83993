import { SIGNATURE_FAULTS, type signatureFault } from '@payassent/protocol/evidence';
import { AppError } from '../../errors.ts';

export function invalidSignature(field: string, reason: string, explanation: string): AppError {
  return new AppError('decision_signature_invalid', {
    field,
    message: `The signature does not hold: ${explanation}.`,
    details: { reason },
  });
}

export function refuseFault(field: string, fault: ReturnType<typeof signatureFault>): void {
  if (fault !== undefined) throw invalidSignature(field, fault, SIGNATURE_FAULTS[fault]);
}
