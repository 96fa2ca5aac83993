import type {
  AdminSession,
  ApiKey,
  ApiKeyAnswer,
  ApiKeyInput,
  ApiKeysPage,
  CreatedApiKey,
  PageQuery,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { createAdminSession, createApiKey, listApiKeys, revokeApiKey } from '../operations.ts';

/** API keys and admin sessions for the second surface. */
export class MerchantAccess {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Makes an API key for one agent. */
  createApiKey(input: ApiKeyInput, options: CallOptions = {}): Promise<CreatedApiKey> {
    return this.#api.call(createApiKey, { body: input }, options);
  }

  /** One page of API keys. */
  listApiKeys(query: PageQuery = {}, options: CallOptions = {}): Promise<ApiKeysPage> {
    return this.#api.call(listApiKeys, { query }, options);
  }

  /** All API keys, page by page. */
  eachApiKey(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<ApiKey, void, undefined> {
    return eachRecord(this.#api, listApiKeys, 'api_keys', { query }, options);
  }

  /** Revokes an API key. */
  revokeApiKey(apiKeyId: string, options: CallOptions = {}): Promise<ApiKeyAnswer> {
    return this.#api.call(revokeApiKey, { params: { id: apiKeyId } }, options);
  }

  /** Makes a token for an hour with which a person acts on the second surface; see `AgentPaymentsClient`. */
  createAdminSession(options: CallOptions = {}): Promise<AdminSession> {
    return this.#api.call(createAdminSession, {}, options);
  }
}
