import type { Payment } from './payment.ts';

/** The payment of a page. Agents choose the ids, so they are encoded in the query. */
export type PaymentPlace = Pick<Payment, 'kind' | 'id' | 'connectionId'>;

export function reviewPath(place: PaymentPlace): string {
  return `/review?${queryOf(place)}`;
}

export function receiptPath(place: PaymentPlace): string {
  return `/receipt?${queryOf(place)}`;
}

function queryOf({ kind, id, connectionId }: PaymentPlace): URLSearchParams {
  return new URLSearchParams({ kind, connection: connectionId, id });
}

/** An address of this wallet, or the link that agents hand out: `/wallet/requests/<id>?connection=<id>`. */
export function placeIn({
  pathname,
  search,
}: Pick<Location, 'pathname' | 'search'>): PaymentPlace | undefined {
  const query = new URLSearchParams(search);
  const linked = /\/requests\/([^/]+)$/.exec(pathname)?.[1];
  const kind = linked === undefined ? query.get('kind') : 'request';
  const id = linked === undefined ? query.get('id') : decoded(linked);
  const connectionId = query.get('connection');
  if ((kind !== 'request' && kind !== 'agent') || !id || !connectionId) return undefined;
  return { kind, id, connectionId };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
