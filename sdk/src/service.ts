import type { ErrorCatalogue, NetworkCatalogue } from './contract.ts';
import { createApi } from './core/api.ts';
import type { CallOptions } from './core/call.ts';
import { type ClientOptions, resolveSettings } from './core/settings.ts';
import { listErrors, listNetworks } from './operations.ts';

/** The published error table of the service itself, which may be newer than this SDK. */
export function fetchErrorCatalogue(
  client: ClientOptions,
  options: CallOptions = {},
): Promise<ErrorCatalogue> {
  return createApi(resolveSettings(client)).call(listErrors, {}, options);
}

/** Every network that payees can be on, with its asset, address form, memo and largest amount. */
export function fetchNetworks(client: ClientOptions, options: CallOptions = {}): Promise<NetworkCatalogue> {
  return createApi(resolveSettings(client)).call(listNetworks, {}, options);
}
