import { CAPS } from '../limits.ts';

type CapName = keyof typeof CAPS;

/** `Infinity` for no cap. */
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

const NAMES = Object.keys(CAPS) as CapName[];

/** `on`, `off`, or `name=count,…` which changes the named caps and leaves the others on. */
export function parseCaps(text: string): { caps: Caps; faults: string[] } {
  const counts = Object.fromEntries(NAMES.map((name) => [name, CAPS[name].count])) as Record<CapName, number>;
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
