import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { implement, type Route } from '../../http/route.ts';
import { readMerchant, updateMerchant } from './merchant.ts';
import { changeIssues } from './schema.ts';
import { merchantView } from './view.ts';

export const merchantRoutes: readonly Route[] = [
  implement(api.getMerchant, {
    run: async ({ context, principal }) => ({
      merchant: merchantView(await readMerchant(context.db, principal.merchantId)),
    }),
  }),
  implement(api.updateMerchant, {
    check: changeIssues,
    async run({ context, act, principal, body }) {
      const row = await transaction(context.db, (tx) => updateMerchant(tx, act, principal, body));
      return { merchant: merchantView(row) };
    },
  }),
];
