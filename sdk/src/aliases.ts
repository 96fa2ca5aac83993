import type {
  ConnectionsPage,
  CreatePaymentRequestInput,
  HumanRequiredDetails,
  PaymentRequestEventsQuery,
  PolicyChange,
  RecipientInput,
  RegisterCredentialInput,
  SessionInput,
  WebhookDeliveriesPage,
  WebhookDeliveryQuery,
  WebhookEndpointAnswer,
  WebhookEndpointChange,
  WebhookEndpointInput,
  WebhookEndpointsPage,
  WebhookEndpointWithSecret,
} from './contract.ts';

/*
 * Shapes that the SDK has under a name of its own, or that it completes before they are sent. Their members, and what
 * is said about them, come from the contract.
 */

/** An input of which the SDK fills in a member that is absent. */
export type WithDefault<Input, Name extends keyof Input> = Omit<Input, Name> & Partial<Pick<Input, Name>>;

/** What an agent asks for. `policy` is filled in when absent; every payment fact comes from the Recipient. */
export type PaymentRequestInput = WithDefault<CreatePaymentRequestInput, 'policy'>;
/** A public key that is to be registered. `alg` is filled in when absent. */
export type CredentialInput = WithDefault<RegisterCredentialInput, 'alg'>;
/** From when and until when a key works. */
export type CredentialDates = Pick<RegisterCredentialInput, 'not_before' | 'expires_at'>;
/** Which events; `since` as the number that `sequence` is. */
export type EventsQuery = Omit<PaymentRequestEventsQuery, 'since'> & { since?: number };
/** Where a payee is paid. What follows from the network is filled in; when sent, it must agree. */
export type PayeeFacts = Omit<RecipientInput, 'name'>;
/** The four limits of a policy. All of them must be filled before the user can opt in. */
export type PolicyThresholds = Omit<PolicyChange, 'version'>;
/** Common to every page. */
export type Page = Pick<ConnectionsPage, 'next_cursor'>;
/** One page of the second surface, newest first. */
export type ItemsPage<Item> = Page & { items: Item[] };
/** How to open a session: after creating an organization, or with one of the choices. */
export type SessionGrant = SessionInput;
/** What `error.details` of `HC_NC_5_HITL_REQUIRED` carries. */
export type HitlDetails = HumanRequiredDetails;
/** A new webhook endpoint. */
export type EndpointInput = WebhookEndpointInput;
/** A change of a webhook endpoint. */
export type EndpointChange = WebhookEndpointChange;
/** One webhook endpoint. */
export type EndpointAnswer = WebhookEndpointAnswer;
/** A webhook endpoint with its secret. */
export type EndpointWithSecret = WebhookEndpointWithSecret;
/** One page of webhook endpoints. */
export type EndpointsPage = WebhookEndpointsPage;
/** Which deliveries. */
export type DeliveryQuery = WebhookDeliveryQuery;
/** One page of deliveries. */
export type DeliveriesPage = WebhookDeliveriesPage;
