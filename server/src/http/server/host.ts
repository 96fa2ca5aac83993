import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Config } from '../../config/index.ts';

/**
 * Called by probes and collectors under whatever name they know the machine by; the responses contain no one's data.
 */
const PROBED = /^\/(?:health|ready|metrics)(?:\?|$)/;

/**
 * Rejects names that an attacker could have pointed at this machine: a page under such a name would count as this
 * service's own origin in a browser (DNS rebinding). Addresses, `localhost` and names without a dot cannot be taken
 * over by a public name server, and proxies and containers use them.
 */
export function createHostCheck(
  config: Pick<Config, 'baseUrl'>,
): (sent: string | undefined, path: string) => boolean {
  const { host, hostname } = new URL(config.baseUrl);
  const isOwn = (sent: string): boolean => {
    const name = sent.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase();
    if (sent === host || name === hostname || !name.includes('.')) return true;
    return name.endsWith('.localhost') || isIP(name) !== 0;
  };
  // Almost every caller uses the same name as the previous one.
  let known = host;
  return (sent, path) => {
    if (sent === undefined || sent === known) return true;
    if (!isOwn(sent)) return PROBED.test(path);
    known = sent;
    return true;
  };
}

/**
 * A proxy and this service may trust different ones of two hosts (RFC 9112, section 3.2): such a request is rejected,
 * whichever of them is ours.
 */
export function namesTwoHosts({ rawHeaders, headers, url = '' }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return true;
  if (url.startsWith('/')) return false;
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return authority !== undefined && authority.toLowerCase() !== headers.host?.toLowerCase();
}
