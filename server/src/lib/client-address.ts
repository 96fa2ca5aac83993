import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The caller's address: the peer itself, or, behind trusted proxies, the right-most entry of `X-Forwarded-For` that no
 * trusted proxy added. Entries further left are under the caller's control.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
): (peer: string, forwardedFor: string | undefined) => string {
  const blocks = trustedProxies.map(toBlock);
  const isTrusted = (text: string): boolean => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return blocks.some(([block, bits]) => block.kind() === address.kind() && address.match(block, bits));
  };
  return (peer, forwardedFor) => {
    let current = plain(peer);
    if (blocks.length === 0 || forwardedFor === undefined) return current;
    const hops = forwardedFor.split(',').map((hop) => hop.trim());
    while (isTrusted(current)) {
      const next = hops.pop();
      if (next === undefined || !ipaddr.isValid(next)) break;
      current = plain(next);
    }
    return current;
  };
}

/**
 * The unit of a limit: an IPv4 address, or the network of an IPv6 one. A single line has 2^64 of these addresses, so
 * counting them one by one would be no limit at all.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

function toBlock(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** An address, or a block of them such as 10.0.0.0/8. */
export function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
