/** Names of webhook events and of audit records. */

export const PAYMENT_REQUEST_EVENT_TYPES = [
  'payment_request.signed',
  'payment_request.broadcasted',
  'payment_request.confirmed',
  'payment_request.failed',
  'payment_request.expired',
  'payment_request.rejected',
  'payment_request.settlement_updated',
] as const;
/** Creation makes no polled event, so this list has no `payment_request.created`. */

export const AGENT_PAYMENT_EVENT_TYPES = [
  'agent_payment.signed',
  'agent_payment.broadcasted',
  'agent_payment.confirmed',
  'agent_payment.failed',
  'agent_payment.expired',
  'agent_payment.rejected',
  'agent_payment.cancelled',
  'agent_payment.settlement_updated',
] as const;
/** As with payment requests, creation makes no polled event. */

export const WEBHOOK_EVENT_TYPES = [
  'payment_request.created',
  ...PAYMENT_REQUEST_EVENT_TYPES,
  'connection.created',
  'connection.paused',
  'connection.resumed',
  'connection.revoked',
  'recipient.version_activated',
  'agent_payment.created',
  ...AGENT_PAYMENT_EVENT_TYPES,
  'automation_policy.created',
  'automation_policy.updated',
  'automation_policy.activated',
  'automation_policy.paused',
  'automation_policy.resumed',
  'automation_policy.expired',
  'automation_policy.revoked',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Sent only to prove an endpoint; it cannot be subscribed to. */
export const WEBHOOK_VERIFICATION_TYPE = 'webhook.verification';

/** What a subscription may contain besides an exact type: everything, or one family. */
export const WEBHOOK_EVENT_PATTERNS = [
  '*',
  'payment_request.*',
  'connection.*',
  'recipient.*',
  'agent_payment.*',
  'automation_policy.*',
] as const;
type WebhookEventPattern = (typeof WEBHOOK_EVENT_PATTERNS)[number];
export type WebhookSubscription = WebhookEventType | WebhookEventPattern;

export const WEBHOOK_SUBSCRIPTIONS: readonly WebhookSubscription[] = [
  ...WEBHOOK_EVENT_PATTERNS,
  ...WEBHOOK_EVENT_TYPES,
];

export function isWebhookSubscription(value: unknown): value is WebhookSubscription {
  return (WEBHOOK_SUBSCRIPTIONS as readonly unknown[]).includes(value);
}

export function webhookWants(subscriptions: readonly string[], type: WebhookEventType): boolean {
  const family = `${type.slice(0, type.indexOf('.'))}.*`;
  return subscriptions.some((entry) => entry === '*' || entry === type || entry === family);
}

export const AUDIT_ACTOR_KINDS = [
  'operator',
  'agent',
  'wallet',
  'api_key',
  'admin_session',
  'system',
  // Who runs the service, by a command on its machine.
  'installation',
  // In a wallet's own trail: the one who acted for this merchant.
  'merchant',
] as const;
export type AuditActorKind = (typeof AUDIT_ACTOR_KINDS)[number];

export const AUDIT_TARGET_TYPES = [
  'merchant',
  'merchant_session',
  'operator',
  'passkey',
  'approval',
  'domain',
  'recipient',
  'agent',
  'credential',
  'device',
  'pending_change',
  'connect_key',
  'connect_invitation',
  'pairing_session',
  'connection',
  'webhook_endpoint',
  'api_key',
  'admin_session',
  'automation_policy',
] as const;
export type AuditTargetType = (typeof AUDIT_TARGET_TYPES)[number];

/** Every act that changes a right or a secret, as `<target type>.<act>`. */
export const AUDIT_EVENT_TYPES = [
  'merchant.created',
  'merchant.updated',
  'merchant.activated',
  'merchant.payee_binding_required',
  'merchant.four_eyes_on',
  'merchant.four_eyes_off',
  'merchant.suspended',
  'merchant.unsuspended',
  'merchant_session.created',
  'merchant_session.ended',
  'merchant_session.ended_everywhere',
  'merchant_session.stepped_up',
  'operator.invited',
  'operator.joined',
  'operator.role_changed',
  'operator.removed',
  'passkey.registered',
  'passkey.removed',
  'passkey.confirmed',
  'passkey.cancelled',
  'passkey.reset',
  'passkey.recovery_ended',
  'approval.requested',
  'approval.approved',
  'approval.rejected',
  'domain.registered',
  'domain.verified',
  'domain.absent',
  'domain.lapsed',
  'domain.deleted',
  'domain.suspended',
  'domain.unsuspended',
  'recipient.created',
  'recipient.updated',
  'recipient.suspended',
  'recipient.archived',
  'recipient.pending_rejected',
  'recipient.version_created',
  'recipient.version_verified',
  'recipient.version_activated',
  'agent.created',
  'agent.updated',
  'agent.activated',
  'agent.suspended',
  'agent.unsuspended',
  'agent.revoked',
  'credential.registered',
  'credential.activated',
  'credential.revoked',
  'device.enrolled',
  'device.token_rotated',
  'device.deleted',
  'device.link_code_created',
  'device.recovery_code_used',
  'device.recovery_code_replaced',
  'device.decision_key_set',
  'device.decision_key_removed',
  'device.push_set',
  'device.push_removed',
  'pending_change.requested',
  'pending_change.effective',
  'pending_change.cancelled',
  'pending_change.lapsed',
  'connect_key.created',
  'connect_key.withdrawn',
  'connect_invitation.claimed',
  'connect_invitation.approved',
  'connect_invitation.rejected',
  'connect_invitation.exchanged',
  'pairing_session.created',
  'pairing_session.approved',
  'pairing_session.rejected',
  'connection.created',
  'connection.paused',
  'connection.resumed',
  'connection.revoked',
  'connection.token_rotated',
  'connection.token_collected',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.verified',
  'webhook_endpoint.disabled',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.deleted',
  'api_key.created',
  'api_key.revoked',
  'admin_session.created',
  'admin_session.ended',
  'automation_policy.created',
  'automation_policy.updated',
  'automation_policy.activated',
  'automation_policy.paused',
  'automation_policy.resumed',
  'automation_policy.expired',
  'automation_policy.revoked',
] as const satisfies readonly `${AuditTargetType}.${string}`[];
export type AuditEventType = (typeof AUDIT_EVENT_TYPES)[number];
