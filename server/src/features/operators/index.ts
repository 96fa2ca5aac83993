// The people who work for an organization, and their roles. Nothing imports it but the composition. Every change of
// team members is checked against the result of the previous one, and an owner always remains.

import * as api from '@payassent/protocol/api';
import type { Operator, TeamMember } from '@payassent/protocol/records';
import { transaction } from '../../db/open.ts';
import type { RateState } from '../../http/limits/index.ts';
import { answer, type Call, implement, type Route } from '../../http/route.ts';
import { toTimestamp } from '../../lib/clock.ts';
import type { Feature } from '../feature.ts';
import { networkHash } from '../merchant-accounts/known-networks.ts';
import { operatorView as viewOf } from '../merchant-accounts/view.ts';
import { apiKeyView } from '../project-access/view.ts';
import {
  changeRole,
  inviteOperator,
  type OperatorRow,
  type PendingPasskeyRow,
  removeOperator,
} from './operators.ts';
import { hasAcceptedInvitation, listOperators, listPendingPasskeys } from './sql.ts';

export const operatorsFeature = (): Feature => ({
  name: 'operators',
  routes: operatorRoutes,
});

type Invited = Awaited<ReturnType<typeof inviteOperator>>;

/** Every mail counts, even a second one to the same person; a call that sends none does not. */
async function countInvitation(
  { context, principal, limit }: Pick<Call<'merchant', unknown, unknown>, 'context' | 'principal' | 'limit'>,
  invite: () => Promise<Invited>,
): Promise<Invited> {
  const { merchantId } = principal;
  const names = (await hasAcceptedInvitation(context.db, merchantId))
    ? (['invitations'] as const)
    : (['first_invitations', 'invitations'] as const);
  const taken: (RateState | undefined)[] = [];
  const giveBack = () => Promise.all(taken.map((state) => state?.giveBack()));
  try {
    for (const name of names) taken.push(await limit(name, merchantId));
    const invited = await invite();
    if (invited.operator.joined_at) await giveBack();
    return invited;
  } catch (error) {
    await giveBack();
    throw error;
  }
}

const operatorRoutes: readonly Route[] = [
  implement(api.inviteOperator, {
    changesOperators: true,
    async run(call) {
      const { context, act, principal, body, clientAddress } = call;
      const requestedFrom = networkHash(context.keys, clientAddress);
      const invitation = { email: body.email.toLowerCase(), role: body.role, requestedFrom };
      const { operator, isNew } = await countInvitation(call, () =>
        transaction(context.db, (tx) => inviteOperator(tx, act, principal, invitation)),
      );
      return answer({ operator: operatorView(operator) }, { status: isNew ? 201 : 200 });
    },
  }),
  implement(api.listOperators, {
    async run({ context, act, principal }) {
      const rows = await listOperators(context.db, principal.merchantId);
      // Passkeys belong to no organization: a bound call cannot read them.
      const passkeys = await listPendingPasskeys(
        context.serviceDb,
        rows.map((row) => row.account_id),
        act.now,
      );
      return { operators: rows.map((row) => teamMemberView(row, passkeys)) };
    },
  }),
  implement(api.changeOperator, {
    changesOperators: true,
    async run({ context, act, principal, params, body }) {
      const row = await transaction(context.db, (tx) =>
        changeRole(tx, act, principal, params['id'] ?? '', body.role),
      );
      return { operator: operatorView(row) };
    },
  }),
  implement(api.removeOperator, {
    changesOperators: true,
    async run({ context, act, principal, params }) {
      const { operator, keys } = await transaction(context.db, (tx) =>
        removeOperator(tx, act, principal, params['id'] ?? ''),
      );
      return { operator: operatorView(operator), api_keys: keys.map(apiKeyView) };
    },
  }),
];

function operatorView({ account_id, ...row }: OperatorRow): Operator {
  return viewOf({ accountId: account_id, ...row });
}

function teamMemberView(row: OperatorRow, pending: readonly PendingPasskeyRow[]): TeamMember {
  return {
    ...operatorView(row),
    pending_passkeys: pending
      .filter((passkey) => passkey.account_id === row.account_id)
      .map((passkey) => ({
        passkey_id: passkey.passkey_id,
        name: passkey.name,
        created_at: toTimestamp(passkey.created_at),
        effective_at: toTimestamp(passkey.effective_at),
      })),
  };
}
