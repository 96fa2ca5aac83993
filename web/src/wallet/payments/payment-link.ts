import { networkRow, paymentUri } from '@payassent/protocol';
import type { Payment } from './payment.ts';

/** What a signature adds to a link for Stellar wallets: the domain that it is from. */
const SIGNATURE = /&origin_domain=[a-z0-9.-]+&signature=[\w%.~-]+$/;

type PaymentLink = { state: 'none' | 'altered' } | { state: 'pinned'; uri: string };

/** The service's link, signed where it can sign, as long as it says what was pinned and nothing else. */
export function paymentLink({ facts, link }: Payment): PaymentLink {
  if (link === undefined) return { state: 'none' };
  const { network, to: address, ...rest } = facts;
  const decimals = facts.decimals ?? networkRow(network).decimals;
  const pinned = paymentUri(network, { ...rest, address, decimals });
  return link.replace(SIGNATURE, '') === pinned ? { state: 'pinned', uri: link } : { state: 'altered' };
}
