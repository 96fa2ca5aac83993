import { APPROVAL_STATUSES } from '../enumerations.ts';
import { ApprovalSchema } from '../records/operator.ts';
import { oneOf, record, Type } from '../records/schema.ts';
import { operations } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const operation = operations({ tag: 'Operators', credential: ['merchant'] });

/** The response of a call that needs a second owner's approval: 202, and nothing has changed yet. */
export const ApprovalAnswer = record('ApprovalAnswer', 'One approval.', { approval: ApprovalSchema });

export const listApprovals = operation('listApprovals', 'GET /v1/approvals', {
  sdk: 'MerchantApprovals.list',
  summary: 'List changes that wait or waited for a second owner, newest first',
  description: 'Kept for 400 days, as the audit trail is.',
  query: record('ApprovalQuery', 'Which approvals.', {
    ...PAGE_QUERY,
    status: Type.Optional(oneOf(APPROVAL_STATUSES, 'Only those with this status.')),
  }),
  answer: pageOf('ApprovalsPage', 'approvals', ApprovalSchema),
});

export const approve = operation('approve', 'POST /v1/approvals/{id}/approve', {
  sdk: 'MerchantApprovals.approve',
  summary: 'Carry out a change that another owner requested',
  description:
    'All checks are made again; when the call is refused, the approval stays pending. Both owners are in the audit trail.',
  answer: ApprovalAnswer,
  errors: [
    'second_person_required',
    'invalid_status_transition',
    'version_conflict',
    'limit_reached',
    'last_owner',
    'risk_rejected',
    'recipient_not_active',
    'evidence_mismatch',
    'evidence_expired',
    'domain_not_verified',
    'domain_proof_failed',
    'network_not_enabled',
  ],
});

export const rejectApproval = operation('rejectApproval', 'POST /v1/approvals/{id}/reject', {
  sdk: 'MerchantApprovals.reject',
  summary: 'Reject a change that another owner requested',
  description: 'Nothing is changed; the team member who requested it is notified.',
  answer: ApprovalAnswer,
  errors: ['second_person_required', 'invalid_status_transition'],
});
