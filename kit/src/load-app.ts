import type { createApp } from '../../server/src/app.ts';

/**
 * The service, loaded in a way that the graph of modules does not show: `vitest run --changed` would otherwise relate
 * every test to every source. `related.ts` says which tests belong to which feature.
 */
export async function loadApp(): Promise<typeof createApp> {
  const path = new URL('../../server/src/app.ts', import.meta.url).pathname;
  const app: { createApp: typeof createApp } = await import(/* @vite-ignore */ path);
  return app.createApp;
}
