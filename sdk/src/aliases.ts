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
 * Shapes that the SDK renames, or completes before they are sent. Their members and descriptions come from the
 * contract.
 */

/** An input with a member that the SDK fills in when it is absent. */
export type WithDefault<Input, Name extends keyof Input> = Omit<Input, Name> & Partial<Pick<Input, Name>>;

/** What an agent requests. `policy` is filled in when absent; every payment fact comes from the Recipient. */
export type PaymentRequestInput = WithDefault<CreatePaymentRequestInput, 'policy'>;
/** A public key that is to be registered. `alg` is filled in when absent. */
export type CredentialInput = WithDefault<RegisterCredentialInput, 'alg'>;
/** The validity period of a key. */
export type CredentialDates = Pick<RegisterCredentialInput, 'not_before' | 'expires_at'>;
/** The filter of events; `since` is a `sequence`. */
export type EventsQuery = Omit<PaymentRequestEventsQuery, 'since'> & { since?: number };
/** The payment details of a payee. Members that follow from the network are filled in; when sent, they must agree. */
export type PayeeFacts = Omit<RecipientInput, 'name'>;
/** The four limits of a policy. All of them must be filled before the customer can opt in. */
export type PolicyThresholds = Omit<PolicyChange, 'version'>;
/** Common to every page. */
export type Page = Pick<ConnectionsPage, 'next_cursor'>;
/** One page of the second surface, newest first. */
export type ItemsPage<Item> = Page & { items: Item[] };
/** How to open a session: after creating an organization, or with one of the choices. */
export type SessionGrant = SessionInput;
/** The `error.details` of `HC_NC_5_HITL_REQUIRED`. */
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
/** The filter of deliveries. */
export type DeliveryQuery = WebhookDeliveryQuery;
/** One page of deliveries. */
export type DeliveriesPage = WebhookDeliveriesPage;
