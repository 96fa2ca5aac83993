// A connected agent's view of its merchant: the payees it may request payments to. The preview of payment requests
// imports `find`. Only active payees of the caller's own merchant, on enabled networks, are shown.

import * as api from '@payassent/protocol/api';
import { AppError, notFound } from '../../errors.ts';
import { implement } from '../../http/route.ts';
import type { Feature } from '../feature.ts';
import { findActivePayee, payeeView, selectPayees } from './find.ts';

export const payeesFeature = (): Feature => ({
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
        const { enabledNetworks } = context.config;
        const id = params['recipient_id'] ?? '';
        const payee = await findActivePayee(context.db, principal.merchantId, id, enabledNetworks);
        if (!payee) throw notFound();
        return { payee };
      },
    }),
  ],
});

/** A position in the list, which is in the order of names. */
interface PayeePlace {
  name: string;
  recipientId: string;
}

function encodePlace({ name, recipientId }: PayeePlace): string {
  return Buffer.from(JSON.stringify([name, recipientId])).toString('base64url');
}

function decodePlace(cursor: string | undefined): PayeePlace | undefined {
  if (cursor === undefined) return undefined;
  try {
    if (!/^[A-Za-z0-9_-]{1,2000}$/.test(cursor)) throw new Error('alphabet');
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed) || parsed.length !== 2) throw new Error('shape');
    const [name, recipientId] = parsed.map(storable);
    return { name: name ?? '', recipientId: recipientId ?? '' };
  } catch {
    throw new AppError('invalid_cursor');
  }
}

/** The database rejects such a character, and no name has one. */
function storable(value: unknown): string {
  if (typeof value !== 'string' || value.includes('\u0000')) throw new Error('text');
  return value;
}
