import * as api from '@payassent/protocol/api';
import type { Payee } from '@payassent/protocol/records';
import { notFound } from '../../errors.ts';
import type { Feature } from '../../feature.ts';
import { implement } from '../../http/route.ts';
import { decodePlace, encodePlace } from './cursor.ts';
import { type PayeeRow, selectPayees } from './sql.ts';

function payeeView(row: PayeeRow): Payee {
  return {
    recipient_id: row.recipient_id,
    recipient_version_id: row.recipient_version_id,
    name: row.name,
    domain: row.domain,
    verified: true,
    binding: row.binding,
    evidence_digest: row.evidence_digest,
    payment: {
      rail: row.rail,
      network: row.network,
      asset: row.asset,
      to: row.address,
      decimals: row.decimals,
      ...(row.contract === null ? {} : { contract: row.contract }),
      ...(row.issuer === null ? {} : { issuer: row.issuer }),
      ...(row.chain_id === null ? {} : { chain_id: row.chain_id }),
      ...(row.memo === null ? {} : { memo: row.memo }),
    },
    activated_at: row.activated_at.toISOString(),
  };
}

/** What a connected agent can see of its merchant: whom it may ask its user to pay. */
export const payeesFeature: Feature = {
  name: 'payees',
  routes: [
    implement(api.listPayees, {
      async run({ context, principal, query }) {
        const { limit, cursor, q, network, asset } = query;
        const enabled = context.config.enabledNetworks;
        const rows = await selectPayees(context.db, {
          merchantId: principal.merchantId,
          networks: network === undefined ? enabled : enabled.filter((each) => each === network),
          asset,
          words: q,
          after: decodePlace(cursor),
          limit: limit + 1,
        });
        const shown = rows.slice(0, limit);
        const last = shown.at(-1);
        const next =
          rows.length > limit && last
            ? encodePlace({ name: last.name, recipientId: last.recipient_id })
            : null;
        return { payees: shown.map(payeeView), next_cursor: next };
      },
    }),
    implement(api.getPayee, {
      async run({ context, principal, params }) {
        const [row] = await selectPayees(context.db, {
          merchantId: principal.merchantId,
          networks: context.config.enabledNetworks,
          recipientId: params['recipient_id'] ?? '',
          limit: 1,
        });
        if (!row) throw notFound();
        return { payee: payeeView(row) };
      },
    }),
  ],
};
