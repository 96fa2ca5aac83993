import type {
  EndpointAnswer,
  EndpointChange,
  EndpointInput,
  EndpointsPage,
  EndpointWithSecret,
} from '../aliases.ts';
import type { PageQuery, WebhookEndpoint } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
  verifyWebhookEndpoint,
} from '../operations.ts';
import { MerchantDeliveries } from './deliveries.ts';

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
    return this.#api.call(listWebhookEndpoints, { query }, options);
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
