import type { Static } from 'typebox';
import { ERROR_CODES } from '../errors.ts';
import { ISSUE_CODES, type IssueCode, MAX_ISSUES } from '../issues.ts';
import { anyText, constant, flag, freeObject, integer, oneOf, record, Type, text, time } from './schema.ts';

const requestId = text('Names this call in logs; quote it in a support request.', 160);
const timestamp = time('When the response was written.');
const code = oneOf(ERROR_CODES, 'What went wrong, for programs. `GET /v1/errors` explains every code.');
const message = text('What went wrong, for people.');

export const IssueSchema = record('Issue', 'One thing that is wrong with a request.', {
  field: anyText('Where it is, such as `payment.amount`.'),
  code: oneOf(Object.keys(ISSUE_CODES) as IssueCode[], 'What is wrong, for programs.'),
  message: text('What is wrong, for people.'),
});

const issues = Type.Array(IssueSchema, { maxItems: MAX_ISSUES, description: 'Everything that is wrong.' });
const moreIssues = integer('How many more issues there are than listed; absent when none.', 1);

/** Failure on the first surface. */
export const ErrorEnvelopeSchema = record('ErrorEnvelope', 'A failure.', {
  ok: constant(false, 'Always false.'),
  error: Type.Object(
    {
      code,
      message,
      request_id: requestId,
      field: Type.Optional(anyText('The member that is wrong, where there is only one.')),
      issues: Type.Optional(issues),
      more_issues: Type.Optional(moreIssues),
      details: Type.Optional(freeObject('More about the error; which members depends on the code.')),
    },
    { description: 'What went wrong.' },
  ),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelopeSchema>;

/** Failure on the second surface; issues are `details.issues`. */
export const AgentPaymentErrorEnvelopeSchema = record('AgentPaymentErrorEnvelope', 'A failure.', {
  success: constant(false, 'Always false.'),
  error: Type.Object(
    {
      code,
      message,
      details: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        properties: { issues, more_issues: moreIssues },
        additionalProperties: true,
        description: 'More about the error; which members depends on the code.',
      }),
    },
    { description: 'What went wrong.' },
  ),
  request_id: requestId,
  timestamp,
});
export type AgentPaymentErrorEnvelope = Static<typeof AgentPaymentErrorEnvelopeSchema>;

/** Success of a call about agent payments, whatever `data` is. */
export const AgentPaymentEnvelopeSchema = record('AgentPaymentEnvelope', 'A success.', {
  success: constant(true, 'Always true.'),
  data: freeObject('The members of the response.'),
  request_id: requestId,
  timestamp,
});
export type AgentPaymentEnvelope = Static<typeof AgentPaymentEnvelopeSchema>;

export const ErrorCatalogueEntrySchema = record('ErrorCatalogueEntry', 'One error code.', {
  code: oneOf(ERROR_CODES, 'The code.'),
  http_status: integer('The HTTP status that comes with it.', 400, 599),
  meaning: text('What it means.'),
  recovery: text('What to do.'),
  safe_to_retry: flag('Whether a program may send the same request again without a person.'),
});
export type ErrorCatalogueEntry = Static<typeof ErrorCatalogueEntrySchema>;
