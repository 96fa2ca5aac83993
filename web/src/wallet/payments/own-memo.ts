import { isNetwork, memoTypeOf, requestMemo } from '@payassent/protocol';
import type { Payment } from './payment.ts';

/** Whether the memo was made for this very payment: it then differs from every other one, and is no warning. */
export function hasOwnMemo({ kind, id, connectionId, facts }: Payment): boolean {
  const subject =
    kind === 'request'
      ? { connection_id: connectionId, request_id: id }
      : { connection_id: connectionId, agent_payment_id: id };
  return Boolean(facts.memo) && requestMemo(facts, subject) === facts.memo;
}

/** 64 hex digits, which a person who pays by hand cannot type as text. */
export function isHashMemo({ network, memo }: Payment['facts']): boolean {
  return isNetwork(network) && memoTypeOf(network, memo) === 'hash';
}
