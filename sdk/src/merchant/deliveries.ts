import type { DeliveriesPage, DeliveryQuery } from '../aliases.ts';
import type { WebhookDelivery, WebhookDeliveryAnswer } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { listWebhookDeliveries, redeliverWebhook } from '../operations.ts';

/** Attempts to deliver webhooks; never bodies or secrets. */
export class MerchantDeliveries {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of attempts. */
  list(query: DeliveryQuery = {}, options: CallOptions = {}): Promise<DeliveriesPage> {
    return this.#api.call(listWebhookDeliveries, { query }, options);
  }

  /** All attempts, page by page. */
  each(
    query: DeliveryQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return eachRecord(this.#api, listWebhookDeliveries, 'webhook_deliveries', { query }, options);
  }

  /** Sends the same message once more: same id, same bytes. */
  redeliver(deliveryId: string, options: CallOptions = {}): Promise<WebhookDeliveryAnswer> {
    return this.#api.call(redeliverWebhook, { params: { id: deliveryId } }, options);
  }
}
