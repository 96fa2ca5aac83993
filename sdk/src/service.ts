import type { ErrorCatalogueEntry } from '@countersign/protocol';
import type { CallOptions } from './core/call.ts';
import { request } from './core/request.ts';
import { type ClientOptions, resolveSettings } from './core/settings.ts';

/** The published error table of the service itself, which may be newer than this SDK. */
export async function fetchErrorCatalogue(
  client: ClientOptions,
  options: CallOptions = {},
): Promise<{ errors: ErrorCatalogueEntry[] }> {
  const answered = await request<{ errors: ErrorCatalogueEntry[] }>(
    resolveSettings(client),
    { method: 'GET', path: '/v1/errors', answer: ['errors'] },
    options,
  );
  return answered.members;
}
