import { fetchNetworks, type NetworkInfo } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';

/** Every network, test networks first: it is where everybody begins. Which of them are enabled changes with a restart. */
export function useNetworks() {
  return useQuery({
    queryKey: ['networks'],
    queryFn: async ({ signal }): Promise<NetworkInfo[]> => {
      const client = { baseUrl: location.origin, allowInsecureHttp: true };
      const { networks } = await fetchNetworks(client, { signal });
      return networks.toSorted((a, b) => Number(b.is_testnet) - Number(a.is_testnet));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
