import {
  AGENT_STATUSES,
  CREDENTIAL_STATUSES,
  DOMAIN_STATUSES,
  MERCHANT_STATUSES,
  RECIPIENT_STATUSES,
  RECIPIENT_VERSION_STATUSES,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ENDPOINT_STATUSES,
} from '../enumerations.ts';
import { defineMachine } from './machine.ts';

/** Records that the merchant's operators govern. */

export const merchant = defineMachine(MERCHANT_STATUSES, 'pending', [
  ['pending', 'active', 'merchant', 'first successful domain proof'],
]);

export const domain = defineMachine(DOMAIN_STATUSES, 'pending', [
  ['pending', 'verified', 'merchant', 'challenge found'],
  [
    'verified',
    'lapsed',
    'system',
    'challenge gone for seven days, or while another merchant proved the domain, or suspended by the host',
  ],
  ['lapsed', 'verified', 'merchant', 'challenge found again'],
]);

export const recipient = defineMachine(RECIPIENT_STATUSES, 'draft', [
  ['draft', 'active', 'merchant', 'first version activated'],
  ['draft', 'archived', 'merchant', 'archived'],
  ['active', 'suspended', 'merchant', 'its domain deleted'],
  ['active', 'suspended', 'system', 'its domain lapsed'],
  ['suspended', 'active', 'merchant', 'a version activated with new evidence'],
  ['active', 'archived', 'merchant', 'archived'],
  ['suspended', 'archived', 'merchant', 'archived'],
]);

export const recipientVersion = defineMachine(RECIPIENT_VERSION_STATUSES, 'created', [
  ['created', 'verified', 'merchant', 'evidence made'],
  ['verified', 'active', 'merchant', 'activated with evidence'],
  ['active', 'superseded', 'merchant', 'another version activated'],
]);

export const agent = defineMachine(AGENT_STATUSES, 'pending', [
  ['pending', 'active', 'merchant', 'activated'],
  ['active', 'suspended', 'merchant', 'suspended'],
  ['suspended', 'active', 'merchant', 'resumed'],
  ['pending', 'revoked', 'merchant', 'revoked'],
  ['active', 'revoked', 'merchant', 'revoked'],
  ['suspended', 'revoked', 'merchant', 'revoked'],
]);

export const credential = defineMachine(CREDENTIAL_STATUSES, 'pending_proof', [
  ['pending_proof', 'active', 'merchant', 'challenge signed'],
  ['pending_proof', 'revoked', 'merchant', 'revoked'],
  ['pending_proof', 'revoked', 'system', 'agent revoked'],
  ['pending_proof', 'expired', 'clock', 'expires_at reached'],
  ['active', 'revoked', 'merchant', 'revoked'],
  ['active', 'revoked', 'system', 'agent revoked'],
  ['active', 'expired', 'clock', 'expires_at reached'],
]);

export const webhookEndpoint = defineMachine(WEBHOOK_ENDPOINT_STATUSES, 'pending_verification', [
  ['pending_verification', 'active', 'merchant', 'response to the challenge'],
  ['pending_verification', 'disabled', 'merchant', 'disabled'],
  ['active', 'disabled', 'merchant', 'disabled'],
  ['active', 'disabled', 'system', 'response 410, 120 hours of failure, or its secret lost with a key'],
  ['pending_verification', 'disabled', 'system', 'its secret lost with a key'],
  ['active', 'pending_verification', 'merchant', 'new URL'],
  ['disabled', 'active', 'merchant', 'verified again'],
  ['disabled', 'pending_verification', 'merchant', 'new URL'],
]);

export const webhookDelivery = defineMachine(WEBHOOK_DELIVERY_STATUSES, 'pending', [
  ['pending', 'delivered', 'system', 'response 2xx'],
  ['pending', 'failed', 'system', 'any other outcome'],
  ['pending', 'cancelled', 'merchant', 'endpoint deleted'],
  ['pending', 'cancelled', 'clock', 'waited 72 hours for an inactive endpoint'],
]);
