import type { WebhookEndpoint, WebhookSubscription } from '@payassent/protocol';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
  verifyWebhookEndpoint,
} from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type Page, type PageQuery } from '../core/pages.ts';
import { MerchantDeliveries } from './deliveries.ts';

/** A new endpoint. */
export interface EndpointInput {
  /** HTTPS at a public address. */
  url: string;
  /** `*`, exact types or `<prefix>.*`; everything unless stated. */
  event_types?: readonly WebhookSubscription[];
}

/** A change of an endpoint, based on a version. */
export interface EndpointChange {
  /** A new address must be verified again. */
  url?: string;
  /** Other types. */
  event_types?: readonly WebhookSubscription[];
  /** `active` only from `disabled`, after a new verification. */
  status?: 'active' | 'disabled';
  /** The version that the change is based on. */
  version: number;
}

/** Answer with one endpoint. */
export interface EndpointAnswer {
  /** The endpoint as it is now. */
  webhook_endpoint: WebhookEndpoint;
}

/** An endpoint with its secret, which is shown in this answer only. */
export interface EndpointWithSecret extends EndpointAnswer {
  /** `whsec_…`; what `verifyWebhook` needs. */
  secret: string;
}

/** One page of endpoints. */
export interface EndpointsPage extends Page {
  /** Newest first. */
  webhook_endpoints: WebhookEndpoint[];
}

/** Webhook endpoints of the organization. */
export class MerchantWebhooks {
  /** What was sent, and how it went. */
  readonly deliveries: MerchantDeliveries;
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
    this.deliveries = new MerchantDeliveries(api);
  }

  /** Creates an endpoint; nothing is sent to it before it is verified. */
  create(input: EndpointInput, options: CallOptions = {}): Promise<EndpointWithSecret> {
    return this.#api.call(createWebhookEndpoint, { body: input }, options);
  }

  /** Sends a signed challenge to the endpoint, which must answer with it. */
  verify(endpointId: string, options: CallOptions = {}): Promise<EndpointAnswer> {
    return this.#api.call(verifyWebhookEndpoint, { params: { id: endpointId } }, options);
  }

  /** One page of endpoints. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<EndpointsPage> {
    return this.#api.call(listWebhookEndpoints, { query: { ...query } }, options);
  }

  /** All endpoints, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<WebhookEndpoint, void, undefined> {
    return eachRecord(this.#api, listWebhookEndpoints, 'webhook_endpoints', { query }, options);
  }

  /** Reads one endpoint. */
  get(endpointId: string, options: CallOptions = {}): Promise<EndpointAnswer> {
    return this.#api.call(getWebhookEndpoint, { params: { id: endpointId } }, options);
  }

  /** Changes address, types or status. */
  update(endpointId: string, change: EndpointChange, options: CallOptions = {}): Promise<EndpointAnswer> {
    return this.#api.call(updateWebhookEndpoint, { params: { id: endpointId }, body: change }, options);
  }

  /** Makes a new secret; both sign for 24 hours. Give `verifyWebhook` both in the meantime. */
  rotateSecret(endpointId: string, options: CallOptions = {}): Promise<EndpointWithSecret> {
    return this.#api.call(rotateWebhookSecret, { params: { id: endpointId } }, options);
  }

  /** Deletes an endpoint with everything that waits for it. */
  delete(endpointId: string, options: CallOptions = {}): Promise<EndpointAnswer> {
    return this.#api.call(deleteWebhookEndpoint, { params: { id: endpointId } }, options);
  }
}
