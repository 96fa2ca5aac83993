import {
  AGENT_PAYMENT_STATUSES,
  AUTOMATION_POLICY_STATUSES,
  PAYMENT_REQUEST_STATUSES,
  SETTLEMENT_STATES,
} from '../enumerations.ts';
import { defineMachine } from './machine.ts';

/** Only what awaits a decision expires by the clock: an unknown outcome is never turned into a failure. */

export const paymentRequest = defineMachine(PAYMENT_REQUEST_STATUSES, 'pending', [
  ['pending', 'signed', 'wallet', 'signed in time'],
  ['pending', 'rejected', 'wallet', 'rejected in time'],
  ['pending', 'failed', 'wallet', 'failed in time'],
  ['pending', 'expired', 'clock', 'expires_at passed'],
  ['pending', 'expired', 'wallet', 'reported after expires_at'],
  ['pending', 'expired', 'agent', 'withdrawn'],
  ['pending', 'rejected', 'system', 'connection revoked'],
  ['pending', 'rejected', 'merchant', 'payee recalled'],
  ['signed', 'broadcasted', 'wallet', 'sent to the network'],
  ['signed', 'failed', 'wallet', 'could not be sent'],
  ['broadcasted', 'confirmed', 'wallet', 'reported as final on the network'],
  ['broadcasted', 'failed', 'wallet', 'refused by the network'],
]);

export const agentPayment = defineMachine(AGENT_PAYMENT_STATUSES, 'intent_created', [
  ['intent_created', 'signed', 'wallet', 'signed in time'],
  ['intent_created', 'rejected', 'wallet', 'rejected in time'],
  ['intent_created', 'failed', 'wallet', 'failed in time'],
  ['intent_created', 'expired', 'clock', 'expires_at passed'],
  ['intent_created', 'expired', 'wallet', 'reported after expires_at'],
  ['intent_created', 'rejected', 'system', 'connection revoked'],
  ['intent_created', 'rejected', 'merchant', 'payee recalled'],
  ['intent_created', 'cancelled', ['agent', 'merchant'], 'cancelled'],
  ['signed', 'broadcasted', 'wallet', 'sent to the network'],
  ['signed', 'failed', 'wallet', 'could not be sent'],
  ['broadcasted', 'confirmed', 'wallet', 'reported as final on the network'],
  ['broadcasted', 'failed', 'wallet', 'refused by the network'],
]);

const CLOSED = ['final', 'mismatch', 'failed_on_chain'] as const;
const CLOSED_WHEN = {
  final: 'a majority has it with every pinned fact',
  mismatch: 'a majority has it and a fact differs',
  failed_on_chain: 'a majority reports that it failed',
} as const;
const REORGANIZED = 'a majority reports a reorganization';

/**
 * The state on the chain. Missing and contradicting sources revert only what no majority has closed; a closed
 * settlement changes only by a reorganization that a majority reports.
 */
export const settlement = defineMachine(SETTLEMENT_STATES, 'unknown', [
  ['unknown', 'unseen', 'observer', 'every reachable source lacks it'],
  ['unknown', 'seen', 'observer', 'a source has it'],
  ['unseen', 'seen', 'observer', 'a source has it'],
  ['unseen', 'unknown', 'observer', 'no source is reachable'],
  ['seen', 'unknown', 'observer', 'no source is reachable, or they contradict each other'],
  ['seen', 'unseen', 'observer', 'every reachable source lacks it again'],
  ...CLOSED.flatMap((closed) => [
    ...(['unknown', 'unseen', 'seen'] as const).map(
      (from) => [from, closed, 'observer', CLOSED_WHEN[closed]] as const,
    ),
    ...(['unknown', 'unseen', 'seen', ...CLOSED.filter((other) => other !== closed)] as const).map(
      (to) => [closed, to, 'observer', REORGANIZED] as const,
    ),
  ]),
]);

/** No one but the wallet can make a policy active. */
export const automationPolicy = defineMachine(AUTOMATION_POLICY_STATUSES, 'draft', [
  ['draft', 'active', 'wallet', 'opted in with all thresholds'],
  ['active', 'paused', ['wallet', 'merchant'], 'paused'],
  ['paused', 'active', 'wallet', 'resumed'],
  ['active', 'draft', 'merchant', 'changed'],
  ['paused', 'draft', 'merchant', 'changed'],
  ['active', 'expired', 'clock', 'validity window over'],
  ['paused', 'expired', 'clock', 'validity window over'],
  ['draft', 'revoked', ['wallet', 'merchant'], 'deleted'],
  ['draft', 'revoked', 'system', 'connection revoked'],
  ['active', 'revoked', ['wallet', 'merchant'], 'deleted'],
  ['active', 'revoked', 'system', 'connection revoked'],
  ['paused', 'revoked', ['wallet', 'merchant'], 'deleted'],
  ['paused', 'revoked', 'system', 'connection revoked'],
  ['expired', 'revoked', ['wallet', 'merchant'], 'deleted'],
  ['expired', 'revoked', 'system', 'connection revoked'],
]);
