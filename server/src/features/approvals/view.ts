import type { ApprovalAct, ApprovalStatus } from '@payassent/protocol';
import type { Approval } from '@payassent/protocol/records';
import { toTimestamp, toTimestampOrNull } from '../../lib/clock.ts';

export interface ApprovalRow {
  approval_id: string;
  merchant_id: string;
  act: ApprovalAct;
  call: string;
  params: Record<string, string>;
  body: Record<string, unknown>;
  target_type: Approval['target']['type'];
  target_id: string;
  details: Record<string, unknown>;
  requested_by: string;
  requested_by_email: string;
  created_at: Date;
  expires_at: Date;
  status: Exclude<ApprovalStatus, 'expired'>;
  decided_by: string | null;
  decided_by_email: string | null;
  decided_at: Date | null;
}

export function statusAt(row: Pick<ApprovalRow, 'status' | 'expires_at'>, now: Date): ApprovalStatus {
  return row.status === 'pending' && row.expires_at < now ? 'expired' : row.status;
}

export function approvalView(row: ApprovalRow, now: Date): Approval {
  return {
    approval_id: row.approval_id,
    act: row.act,
    target: { type: row.target_type, id: row.target_id },
    details: row.details,
    status: statusAt(row, now),
    requested_by: row.requested_by,
    requested_by_email: row.requested_by_email,
    decided_by: row.decided_by,
    decided_by_email: row.decided_by_email,
    decided_at: toTimestampOrNull(row.decided_at),
    created_at: toTimestamp(row.created_at),
    expires_at: toTimestamp(row.expires_at),
  };
}
