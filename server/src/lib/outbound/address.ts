import { BlockList, isIP } from 'node:net';

// IANA IPv4 Special-Purpose Address Registry, every block that is not plainly a public unicast host, plus multicast,
// the reserved rest, and the one public-looking address at which a cloud serves its own machines.
const nonPublicV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

// Only 2000::/3 is global unicast. Outside it are loopback, mapped and compatible IPv4, NAT64, ULA, link-local,
// site-local and multicast. Inside, these blocks are protocol space, documentation, or carry an IPv4 address.
const nonPublicV6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const blockedV4 = new BlockList();
for (const [network, prefix] of nonPublicV4) blockedV4.addSubnet(network, prefix, 'ipv4');
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');
const blockedV6 = new BlockList();
for (const [network, prefix] of nonPublicV6) blockedV6.addSubnet(network, prefix, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
const loopbackV6 = new BlockList();
loopbackV6.addAddress('::1', 'ipv6');

/**
 * True for an address that an unknown host on the internet may have; false for anything else, including invalid text.
 */
export function isPublicAddress(ip: string): boolean {
  switch (familyOf(ip)) {
    case 4:
      return !blockedV4.check(ip, 'ipv4');
    case 6:
      return globalV6.check(ip, 'ipv6') && !blockedV6.check(ip, 'ipv6');
    default:
      return false;
  }
}

/** 127.0.0.0/8 and ::1. An IPv4-mapped IPv6 address is not accepted: no peer reports itself so. */
export function isLoopbackAddress(ip: string): boolean {
  switch (familyOf(ip)) {
    case 4:
      return loopback.check(ip, 'ipv4');
    case 6:
      return loopbackV6.check(ip, 'ipv6');
    default:
      return false;
  }
}

export function isPermittedAddress(ip: string, allowLoopback: boolean): boolean {
  return isPublicAddress(ip) || (allowLoopback && isLoopbackAddress(ip));
}

// A zone id (fe80::1%eth0) names an interface of this machine, so such an address is never public.
function familyOf(ip: string): number {
  return ip.includes('%') ? 0 : isIP(ip);
}
