import { useLocation, useSearch } from 'wouter';

type Filters = Readonly<Record<string, string | undefined>>;

/** Filters stand in the address: they survive a reload, a link that is passed on, and the way back. */
export function useUrlFilters(): [URLSearchParams, (filters: Filters) => void] {
  // The router says that the address has changed; its own reading of it decodes twice.
  useSearch();
  const query = new URLSearchParams(location.search);
  const [path, navigate] = useLocation();
  const choose = (filters: Filters) => {
    for (const [name, value] of Object.entries(filters))
      if (value) query.set(name, value);
      else query.delete(name);
    navigate(query.size === 0 ? path : `${path}?${query}`, { replace: true });
  };
  return [query, choose];
}

/** One of some values, or none. */
export function useUrlFilter<Value extends string>(
  name: string,
  values: readonly Value[],
): [Value | undefined, (value: Value | undefined) => void] {
  const [query, choose] = useUrlFilters();
  return [values.find((value) => value === query.get(name)), (value) => choose({ [name]: value })];
}
