import {
  CONNECT_CONFLICTS,
  MERCHANT_CONFLICTS,
  POLICY_CONFLICTS,
  STATE_CONFLICTS,
} from './errors/conflicts.ts';
import {
  BAD_REQUEST,
  FORBIDDEN,
  REQUEST_SHAPE,
  UNAUTHENTICATED,
  UNPROCESSABLE_AND_SERVER,
} from './errors/refusals.ts';

export type { ErrorEntry } from './errors/entry.ts';

/** The one error table of both surfaces: HTTP status, published page, `GET /v1/errors` and SDK read it. */
export const ERRORS = {
  ...BAD_REQUEST,
  ...UNAUTHENTICATED,
  ...FORBIDDEN,
  ...REQUEST_SHAPE,
  ...STATE_CONFLICTS,
  ...MERCHANT_CONFLICTS,
  ...CONNECT_CONFLICTS,
  ...POLICY_CONFLICTS,
  ...UNPROCESSABLE_AND_SERVER,
} as const;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}
