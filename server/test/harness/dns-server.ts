export {
  type DnsServer as TestDnsServer,
  startDnsServer,
} from '@payassent/world';
