import { isApiError } from '@payassent/sdk';
import { QueryClient } from '@tanstack/react-query';

/** The SDK repeats what is safe to repeat; the cache must not repeat it once more. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser's guess whether there is a network decides nothing: what waits for one hangs without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: false,
      staleTime: 2_000,
      throwOnError: (error) => !isApiError(error) && !(error instanceof Error),
    },
  },
});

/** What is shown of these, by the first part of their keys, is read again; without a name everything is. */
export async function refresh(...names: readonly string[]): Promise<void> {
  if (names.length === 0) await queries.invalidateQueries();
  else await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
