import { isIP } from 'node:net';
import type { Config } from '../config.ts';

/** Asked by probes and collectors under whatever name they know the machine by; they say nothing about anyone. */
const PROBED = /^\/(?:health|ready|metrics)(?:\?|$)/;

/**
 * Refuses names that a stranger could have pointed at this machine: a page under such a name would count as this
 * service's own origin in a browser (DNS rebinding). Addresses, `localhost` and names without a dot cannot be taken
 * over by a public name server, and proxies and containers use them.
 */
export function createHostCheck(config: Pick<Config, 'baseUrl'>) {
  const { host, hostname } = new URL(config.baseUrl);
  const isOwn = (sent: string): boolean => {
    const name = sent.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase();
    if (name === hostname || !name.includes('.')) return true;
    return name.endsWith('.localhost') || isIP(name) !== 0;
  };
  return (sent: string | undefined, path: string): boolean =>
    sent === undefined || sent === host || isOwn(sent) || PROBED.test(path);
}
