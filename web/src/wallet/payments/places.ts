import type { Payment } from './payment.ts';

/** Which payment a page is about. Ids are the caller's own words, so they stand in the query, encoded. */
export type PaymentPlace = Pick<Payment, 'kind' | 'id' | 'connectionId'>;

export function reviewPath({ kind, id, connectionId }: PaymentPlace): string {
  return `/review?${new URLSearchParams({ kind, connection: connectionId, id })}`;
}

export function placeIn(search: string): PaymentPlace | undefined {
  const query = new URLSearchParams(search);
  const kind = query.get('kind');
  const id = query.get('id');
  const connectionId = query.get('connection');
  if ((kind !== 'request' && kind !== 'agent') || !id || !connectionId) return undefined;
  return { kind, id, connectionId };
}
