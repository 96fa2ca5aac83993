/**
 * How much one party may pile up before it is told 409 `limit_reached`, by name. Rate limits bound how fast rows come,
 * caps bound how many there are at once.
 */
const DEFAULT_CAPS = {
  pending_requests: 10_000,
  open_policies: 100,
  connect_keys: 20,
  codes: 20,
  endpoint_deliveries: 100_000,
} as const;

type CapName = keyof typeof DEFAULT_CAPS;

/** `Infinity` where there is no cap. */
export interface Caps {
  /** Pending payment requests of one connection. */
  pendingRequests: number;
  /** Policies of one connection that are not revoked or expired. */
  openPolicies: number;
  /** Connect Keys of one wallet that can still be claimed. */
  connectKeys: number;
  /** Link codes of one wallet that can still be used. */
  codes: number;
  /** Deliveries that wait for one webhook endpoint. */
  endpointDeliveries: number;
}

const NAMES = Object.keys(DEFAULT_CAPS) as CapName[];

/** `on`, `off`, or `name=count,…` which changes the named caps and leaves the others on. */
export function parseCaps(text: string): { caps: Caps; faults: string[] } {
  const counts: Record<CapName, number> = { ...DEFAULT_CAPS };
  const faults: string[] = [];
  if (text === 'off') for (const name of NAMES) counts[name] = Number.POSITIVE_INFINITY;
  else if (text !== 'on') {
    for (const entry of text.split(',')) {
      const [, written, count] = /^\s*([a-z_]+)=([1-9]\d{0,8})\s*$/.exec(entry) ?? [];
      const name = NAMES.find((known) => known === written);
      if (name) counts[name] = Number(count);
      else
        faults.push(
          `has "${entry.trim()}": write on, off, or entries like connect_keys=20 with a name of ${NAMES.join(', ')}.`,
        );
    }
  }
  const caps: Caps = {
    pendingRequests: counts.pending_requests,
    openPolicies: counts.open_policies,
    connectKeys: counts.connect_keys,
    codes: counts.codes,
    endpointDeliveries: counts.endpoint_deliveries,
  };
  return { caps, faults };
}
