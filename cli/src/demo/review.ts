import { hasPinnedFacts, type PaymentRequest, type TransactionContext } from '@payassent/sdk';
import { partyName, plain } from '../output.ts';
import type { Review } from './entries.ts';

/** What a wallet puts before its user. The facts come from the pinned request alone, never from the agent's words. */
export function reviewOf(request: PaymentRequest, context: TransactionContext | undefined): Review {
  const { payment, payee, source } = request;
  return {
    payee: partyName(payee.name),
    domain: payee.verified ? payee.domain : null,
    amount: payment.amount,
    asset: payment.asset,
    network: payment.network,
    address: inGroups(payment.to),
    memo: payment.memo ?? null,
    facts_are_pinned: hasPinnedFacts(request),
    expires_at: request.expires_at,
    agent: partyName(String(source?.['agent_name'] ?? 'an agent')),
    agent_says: [
      ...(context ? sayings(context) : []),
      ...Object.entries(request.display ?? {}).map(([name, value]) => `${plain(name)}: ${worded(value)}`),
    ],
  };
}

function sayings(context: TransactionContext): string[] {
  const { title, summary, line_items: items } = context;
  return [
    ...[title, summary].filter((text) => typeof text === 'string').map(plain),
    ...(Array.isArray(items) ? items.map((item) => `· ${worded(item)}`) : []),
  ];
}

function worded(value: unknown): string {
  if (typeof value !== 'object' || value === null) return plain(String(value));
  return Object.entries(value)
    .map(([name, member]) => `${plain(name)} ${worded(member)}`)
    .join(', ');
}

/** People compare four characters at a time. */
export function inGroups(address: string): string {
  return (address.match(/.{1,4}/gu) ?? []).join(' ');
}
