import { useLocation, useSearch } from 'wouter';

/** A filter that stands in the address: it survives a reload, a link that is passed on, and the way back. */
export function useUrlFilter<Value extends string>(
  name: string,
  values: readonly Value[],
): [Value | undefined, (value: Value | undefined) => void] {
  const query = new URLSearchParams(useSearch());
  const [path, navigate] = useLocation();
  const chosen = values.find((value) => value === query.get(name));
  const choose = (value: Value | undefined) => {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
    navigate(query.size === 0 ? path : `${path}?${query}`, { replace: true });
  };
  return [chosen, choose];
}
