export {
  type DnsFault,
  type DnsQuery,
  type DnsServer as TestDnsServer,
  type RecordType,
  type RecordValue,
  startDnsServer,
} from '@payassent/world';
