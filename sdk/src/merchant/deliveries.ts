import type { WebhookDelivery, WebhookDeliveryStatus } from '@payassent/protocol';
import { listWebhookDeliveries, redeliverWebhook } from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type Page, type PageQuery } from '../core/pages.ts';

/** Which attempts. */
export interface DeliveryQuery extends PageQuery {
  /** Only those to this endpoint. */
  webhook_endpoint_id?: string;
  /** Only those in this status. */
  status?: WebhookDeliveryStatus;
}

/** One page of attempts. */
export interface DeliveriesPage extends Page {
  /** Newest first. */
  webhook_deliveries: WebhookDelivery[];
}

/** Attempts to deliver webhooks; never bodies or secrets. */
export class MerchantDeliveries {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of attempts. */
  list(query: DeliveryQuery = {}, options: CallOptions = {}): Promise<DeliveriesPage> {
    return this.#api.call(listWebhookDeliveries, { query: { ...query } }, options);
  }

  /** All attempts, page by page. */
  each(
    query: DeliveryQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return eachRecord(this.#api, listWebhookDeliveries, 'webhook_deliveries', { query }, options);
  }

  /** Sends the same message once more: same id, same bytes. */
  redeliver(deliveryId: string, options: CallOptions = {}): Promise<{ webhook_delivery: WebhookDelivery }> {
    return this.#api.call(redeliverWebhook, { params: { id: deliveryId } }, options);
  }
}
