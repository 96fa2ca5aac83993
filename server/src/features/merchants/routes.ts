import { transaction } from '../../db/open.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { readMerchant, updateMerchant } from './merchant.ts';
import { changeIssues, MerchantAnswer, UpdateMerchantInput } from './schema.ts';
import { merchantView } from './view.ts';

const tag = 'Merchants';

export const merchantRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/merchants/current',
    summary: 'Read the signed-in organization',
    tag,
    credential: ['merchant'],
    limit: 'reads',
    answer: MerchantAnswer,
    run: async ({ context, principal }) => ({
      merchant: merchantView(await readMerchant(context.db, principal.merchantId)),
    }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/merchants/current',
    summary: 'Rename the signed-in organization, or require that its domain names every payee',
    tag,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: UpdateMerchantInput,
    check: changeIssues,
    answer: MerchantAnswer,
    errors: ['version_conflict', 'invalid_status_transition', 'risk_rejected'],
    async run({ context, act, principal, body }) {
      const row = await transaction(context.db, (tx) => updateMerchant(tx, act, principal, body));
      return { merchant: merchantView(row) };
    },
  }),
];
