import * as values from '../enumerations.ts';
import { ERROR_CODES } from '../errors.ts';
import { AUDIT_EVENT_TYPES, WEBHOOK_SUBSCRIPTIONS } from '../event-types.ts';

/** Value lists with a named type, which appears in OpenAPI and in the SDK. */
const NAMED_VALUES: Readonly<Record<string, readonly string[]>> = {
  AddressOrigin: values.ADDRESS_ORIGINS,
  AgentPaymentStatus: values.AGENT_PAYMENT_STATUSES,
  AgentStatus: values.AGENT_STATUSES,
  AuditEventType: AUDIT_EVENT_TYPES,
  AutomationPolicyStatus: values.AUTOMATION_POLICY_STATUSES,
  DomainMethod: values.DOMAIN_METHODS,
  ErrorCode: ERROR_CODES,
  InvitationStatus: values.INVITATION_STATUSES,
  Network: values.NETWORKS,
  OperatorRole: values.OPERATOR_ROLES,
  OperatorStatus: values.OPERATOR_STATUSES,
  PendingChangeStatus: values.PENDING_CHANGE_STATUSES,
  PaymentInitiator: values.PAYMENT_INITIATORS,
  PaymentOrigin: values.PAYMENT_ORIGINS,
  PaymentRequestStatus: values.PAYMENT_REQUEST_STATUSES,
  Rail: values.RAILS,
  RequestOrigin: values.REQUEST_ORIGINS,
  Scope: values.SCOPES,
  SettlementState: values.SETTLEMENT_STATES,
  SignInMethod: values.SIGN_IN_METHODS,
  WalletChangeAct: values.WALLET_CHANGE_ACTS,
  WebhookDeliveryStatus: values.WEBHOOK_DELIVERY_STATUSES,
  WebhookSubscription: WEBHOOK_SUBSCRIPTIONS,
};

const BY_VALUES = new Map(Object.entries(NAMED_VALUES).map(([name, list]) => [JSON.stringify(list), name]));

/** The name of the type that has exactly these values. */
export function nameOfValues(list: readonly unknown[]): string | undefined {
  return BY_VALUES.get(JSON.stringify(list));
}
