import {
  AGENT_PAYMENT_STATUSES,
  AUTOMATION_POLICY_STATUSES,
  PAYMENT_REQUEST_STATUSES,
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
  ['broadcasted', 'confirmed', 'wallet', 'final on the network, which is what the wallet says'],
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
  ['broadcasted', 'confirmed', 'wallet', 'final on the network, which is what the wallet says'],
  ['broadcasted', 'failed', 'wallet', 'refused by the network'],
]);

/** Nobody but the wallet can make a policy active. */
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
