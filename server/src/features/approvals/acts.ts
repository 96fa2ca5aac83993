import type { ApprovalAct } from '@payassent/protocol';
import type { Approval } from '@payassent/protocol/records';
import type { Sql } from '../../db/open.ts';
import { findDomainToDelete, findOperator, findPayee, findRecipientName } from './sql.ts';

/** What the second owner is shown. */
export interface Described {
  act: ApprovalAct;
  target: Approval['target'];
  details: Record<string, unknown>;
}

interface Asked {
  sql: Sql;
  merchantId: string;
  params: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
}

/** By the name of the call in the table of roles. */
const ACTS: Record<string, (asked: Asked) => Promise<Described>> = {
  'POST /v1/recipients/{}/versions/{}/activate': async ({ sql, merchantId, params, body }) => {
    const { id = '', recipient_version_id: versionId = '' } = params;
    const payee = await findPayee(sql, merchantId, versionId, String(body['evidence_id']));
    return {
      act: 'recipient.activate',
      target: { type: 'recipient', id },
      details: { recipient_version_id: versionId, ...payee, pending: body['pending'] ?? 'keep' },
    };
  },
  'PATCH /v1/recipients/{}': async ({ sql, merchantId, params: { id = '' }, body }) => ({
    act: 'recipient.archive',
    target: { type: 'recipient', id },
    details: {
      name: await findRecipientName(sql, merchantId, id),
      ...sent(body, { name: 'new_name' }),
      pending: body['pending'] ?? 'keep',
    },
  }),
  'POST /v1/merchant-operators': async ({ body }) => {
    const email = String(body['email']).toLowerCase();
    return {
      act: 'operator.invite',
      target: { type: 'operator', id: email },
      details: { email, role: body['role'] },
    };
  },
  'PATCH /v1/merchant-operators/{}': async ({ sql, merchantId, params: { id = '' }, body }) => {
    const operator = await findOperator(sql, merchantId, id);
    return {
      act: 'operator.change_role',
      target: { type: 'operator', id },
      details: { email: operator?.email, role: { from: operator?.role, to: body['role'] } },
    };
  },
  'DELETE /v1/merchant-operators/{}': async ({ sql, merchantId, params: { id = '' } }) => ({
    act: 'operator.remove',
    target: { type: 'operator', id },
    details: { ...(await findOperator(sql, merchantId, id)) },
  }),
  'DELETE /v1/merchant-domains/{}': async ({ sql, merchantId, params: { id = '' } }) => ({
    act: 'domain.delete',
    target: { type: 'domain', id },
    details: { ...(await findDomainToDelete(sql, merchantId, id)) },
  }),
  'PATCH /v1/merchants/current': async ({ merchantId, body }) => ({
    act: 'merchant.four_eyes_off',
    target: { type: 'merchant', id: merchantId },
    details: sent(body, { name: 'new_name', require_payee_binding: 'require_payee_binding' }),
  }),
};

/** What else the same call would change: anyone who decides sees all of it. */
function sent(
  body: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const members = Object.entries(names).filter(([member]) => body[member] !== undefined);
  return Object.fromEntries(members.map(([member, name]) => [name, body[member]]));
}

export function describe(call: string, asked: Asked): Promise<Described> {
  const act = ACTS[call];
  if (!act) throw new Error(`${call} waits for a second owner, but nobody says what it does`);
  return act(asked);
}
