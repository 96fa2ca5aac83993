import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isPermittedAddress, isPublicAddress } from './address.ts';

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '3ffe::1',
];

// First and last address of each special block: IANA IPv4 and IPv6 Special-Purpose Address Registries.
const otherAddresses = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.192', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.254', '255.255.255.255'],
  ['::', '::1', '::2', '::127.0.0.1', '::8.8.8.8'],
  ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  ['64:ff9b::', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '64:ff9b:1:ffff::1'],
  ['100::', '100::ffff', '100:0:0:1::1'],
  ['2001::', '2001:0:53aa:64c::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1'],
  ['2001:db8::', '2001:db8:ffff::1'],
  ['2002::', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:ffff::1'],
  ['2620:4f:8000::1'],
  ['3fff::1', '3fff:fff::1'],
  ['5f00::1'],
  ['fc00::1', 'fd00::2', 'fd00:ec2::254', 'fdff::1'],
  ['fe80::1', 'fe80::1%eth0', 'fe80::1%1', 'febf::1'],
  ['fec0::1', 'feff::1'],
  ['ff00::1', 'ff02::1', 'ff0e::1'],
].flat();

describe('public addresses', () => {
  it.each(publicAddresses)('%s is one', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each(otherAddresses)('%s is none', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each([
    '',
    'localhost',
    '1.1.1',
    '1.1.1.1 ',
    '01.1.1.1',
    '0x1.1.1.1',
    '1.1.1.1%eth0',
    '2606:4700::1%1',
    '[2606::1]',
    '::g',
  ])('a text that is no plain address is none: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('loopback', () => {
  it('adds 127.0.0.0/8 and ::1, and only when it is allowed', () => {
    const added = [...publicAddresses, ...otherAddresses].filter(
      (ip) => isPermittedAddress(ip, true) && !isPermittedAddress(ip, false),
    );
    expect(added).toEqual(['127.0.0.0', '127.255.255.255', '::1']);
  });

  it('is recognised in any spelling of ::1', () => {
    expect(isLoopbackAddress('0:0:0:0:0:0:0:1')).toBe(true);
    expect(isLoopbackAddress('::0001')).toBe(true);
    expect(isLoopbackAddress('::1%lo')).toBe(false);
  });
});
