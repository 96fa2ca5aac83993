import { type Static, Type } from 'typebox';
import { ERROR_CODES } from '../errors.ts';
import { ISSUE_CODES, type IssueCode } from '../issues.ts';
import { freeObject, integer, oneOf, record, text, time } from './schema.ts';

export const IssueSchema = record('Issue', {
  field: Type.String(),
  code: oneOf(Object.keys(ISSUE_CODES) as IssueCode[]),
  message: text(),
});

/** Failure on the first surface. */
export const ErrorEnvelopeSchema = record('ErrorEnvelope', {
  ok: Type.Unsafe<false>({ type: 'boolean', const: false }),
  error: Type.Object({
    code: oneOf(ERROR_CODES),
    message: text(),
    request_id: text(1, 160),
    field: Type.Optional(Type.String()),
    issues: Type.Optional(Type.Array(IssueSchema)),
    /** How many issues there are beside the listed ones. */
    more_issues: Type.Optional(integer(1)),
    details: Type.Optional(freeObject()),
  }),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelopeSchema>;

/** Failure on the second surface; issues are `details.issues`. */
export const AgentPaymentErrorEnvelopeSchema = record('AgentPaymentErrorEnvelope', {
  success: Type.Unsafe<false>({ type: 'boolean', const: false }),
  error: Type.Object({ code: oneOf(ERROR_CODES), message: text(), details: freeObject() }),
  request_id: text(1, 160),
  timestamp: time(),
});
export type AgentPaymentErrorEnvelope = Static<typeof AgentPaymentErrorEnvelopeSchema>;

/** Success on the second surface, without saying what `data` is. */
export const AgentPaymentEnvelopeSchema = record('AgentPaymentEnvelope', {
  success: Type.Unsafe<true>({ type: 'boolean', const: true }),
  data: freeObject(),
  request_id: text(1, 160),
  timestamp: time(),
});
export type AgentPaymentEnvelope = Static<typeof AgentPaymentEnvelopeSchema>;

/** One row of `GET /v1/errors`. */
export const ErrorCatalogueEntrySchema = record('ErrorCatalogueEntry', {
  code: oneOf(ERROR_CODES),
  http_status: integer(400, 599),
  meaning: text(),
  recovery: text(),
  safe_to_retry: Type.Boolean(),
});
export type ErrorCatalogueEntry = Static<typeof ErrorCatalogueEntrySchema>;
