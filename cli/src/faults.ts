import { type ApiFailure, isApiError, isPayAssentError } from '@payassent/sdk';
import { EXIT, LocalError } from './command.ts';

/** An error as it is reported: to programs as `error`, to people as text, to the shell as a number. */
interface FaultReport {
  exitCode: number;
  error: { code: string; message: string; [member: string]: unknown };
  /** What to do about it. */
  advice?: string;
}

/** An error with additional members for its reader, such as the idempotency key of a create without a response. */
export class AnnotatedError extends Error {
  override name = 'AnnotatedError';
  readonly facts: Record<string, string>;
  constructor(cause: unknown, facts: Record<string, string>) {
    super('', { cause });
    this.facts = facts;
  }
}

const WHEN_UNREACHABLE = 'Check the address (--base-url) and that the service runs; then try again.';

/** Undefined for unexpected errors: these are defects, and keep their stack. */
export function faultOf(error: unknown): FaultReport | undefined {
  if (error instanceof AnnotatedError) {
    const fault = faultOf(error.cause);
    return fault && { ...fault, error: { ...fault.error, ...error.facts } };
  }
  if (error instanceof LocalError) {
    const { code, message, advice, exitCode } = error;
    return { exitCode, error: { code, message }, ...(advice ? { advice } : {}) };
  }
  if (isApiError(error)) return refusal(error);
  if (!isPayAssentError(error)) return undefined;
  const { code, message } = error;
  switch (code) {
    case 'network_error':
    case 'timeout':
    case 'unexpected_answer':
      return { exitCode: EXIT.unreachable, error: { code, message }, advice: WHEN_UNREACHABLE };
    case 'wait_timeout':
      return {
        exitCode: EXIT.unreachable,
        error: { code, message },
        advice: 'Nothing is wrong with it; it may still happen. Wait longer with --timeout.',
      };
    case 'not_approved':
      return {
        exitCode: EXIT.unfavourable,
        error: { code, message, status: error.status },
        advice: 'Connect again with a new Connect Key or pairing from the customer.',
      };
    default:
      return { exitCode: EXIT.refused, error: { code, message } };
  }
}

function refusal(error: ApiFailure): FaultReport {
  const { serverCode: code, message, httpStatus, requestId, issues, details, recovery } = error;
  const isPassing = httpStatus === 429 || httpStatus >= 500;
  return {
    exitCode: isPassing ? EXIT.unreachable : EXIT.refused,
    error: {
      code,
      message,
      http_status: httpStatus,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...(issues.length > 0 ? { issues } : {}),
      ...(Object.keys(details).length > 0 ? { details } : {}),
    },
    ...(recovery === undefined ? {} : { advice: recovery }),
  };
}
