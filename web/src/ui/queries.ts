import { isApiError } from '@payassent/sdk';
import { QueryClient } from '@tanstack/react-query';

/** The SDK retries what is safe to retry; the cache must not retry it again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser's guess about the network is ignored: a query that waits for it hangs without a message.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: false,
      staleTime: 2_000,
      throwOnError: (error) => !isApiError(error) && !(error instanceof Error),
    },
  },
});

/** Reads the shown queries again whose keys begin with one of the names; without a name, all of them. */
export async function refresh(...names: readonly string[]): Promise<void> {
  if (names.length === 0) await queries.invalidateQueries();
  else await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
