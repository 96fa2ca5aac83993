import * as api from '@payassent/protocol/api';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import { AppError, impossibleMove, notFound } from '../../errors.ts';
import type { KeepCall } from '../../http/kernel.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import { RETENTION } from '../../jobs/retention.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import type { Feature } from '../feature.ts';
import { forgetAfter } from '../forget-after.ts';
import { readPage } from '../page.ts';
import { askForApproval, closeApproval, describe, refuseDecision } from './approvals.ts';
import { listApprovals, readApproval, readOwnerEmail } from './sql.ts';
import { type ApprovalRow, approvalView } from './view.ts';

// Changes that wait for a second owner. Only the composition imports it: the pipeline stores a call here. A stored call
// is decided once, in time, and by a person other than its requester.

/** As long as the audit trail that names them. */
const KEPT_MS = RETENTION.approvals.days * DAY_MS;

export const approvalsFeature = (): Feature => ({
  name: 'approvals',
  routes: approvalRoutes,
  retention: [
    forgetAfter(KEPT_MS, { name: 'approvals', table: 'approvals', key: 'approval_id', time: 'created_at' }),
  ],
});

/** What the pipeline does with a call that needs a second owner. */
export const keepCall: KeepCall = async ({ context, act, principal }, kept) => {
  if (principal.kind !== 'merchant') throw new AppError('unauthenticated');
  const { merchantId } = principal;
  const { params, body } = kept;
  const row = await transaction(context.db, async (tx) => {
    const described = await describe(kept.call, { sql: tx, merchantId, params, body });
    return askForApproval(tx, act, principal, kept, described);
  });
  return answer({ approval: approvalView(row, act.now) }, { status: 202 });
};

async function find(
  context: Context,
  principal: MerchantPrincipal,
  approvalId: string,
): Promise<ApprovalRow> {
  const row = await readApproval(context.db, principal.merchantId, approvalId);
  if (!row) throw notFound();
  return row;
}

/** The call is carried out in the name of the owner who requested it, whose session may be long over. */
function asker(row: ApprovalRow, { merchantId, merchantStatus }: MerchantPrincipal): MerchantPrincipal {
  return {
    kind: 'merchant',
    merchantId,
    merchantStatus,
    accountId: row.requested_by,
    role: 'owner',
    fourEyes: true,
    factors: { hasPasskey: false, steppedUpAt: null, passkeyEffectiveAt: null, recoversAt: null },
    sessionId: '',
    csrfToken: '',
  };
}

const list = implement(api.listApprovals, {
  async run({ context, act, principal, query }) {
    const { items, next_cursor } = await readPage(query, 'approval_id', (page) =>
      listApprovals(context.db, principal.merchantId, query.status, act.now, page),
    );
    return { approvals: items.map((row) => approvalView(row, act.now)), next_cursor };
  },
});

const approve = implement(api.approve, {
  changesOperators: true,
  async run(call) {
    const { context, act, principal, params } = call;
    const row = await find(context, principal, params['id'] ?? '');
    await refuseDecision(context.db, row, principal, 'approved', act.now);
    if ((await readOwnerEmail(context.db, principal.merchantId, row.requested_by)) === undefined)
      throw impossibleMove(
        ['pending', 'approved'],
        ['rejected'],
        'The team member who requested this is no longer an owner. Reject it.',
      );
    await call.carryOut({
      call: row.call,
      params: row.params,
      body: row.body,
      principal: asker(row, principal),
      approval: { approvalId: row.approval_id, approvedBy: principal.accountId },
      beforeCommit: (tx) => closeApproval(tx, act, principal, row, 'approved'),
    });
    return { approval: approvalView(await find(context, principal, row.approval_id), act.now) };
  },
});

const reject = implement(api.rejectApproval, {
  async run({ context, act, principal, params }) {
    const row = await find(context, principal, params['id'] ?? '');
    await refuseDecision(context.db, row, principal, 'rejected', act.now);
    await transaction(context.db, (tx) => closeApproval(tx, act, principal, row, 'rejected'));
    return { approval: approvalView(await find(context, principal, row.approval_id), act.now) };
  },
});

const approvalRoutes: readonly Route[] = [list, approve, reject];
