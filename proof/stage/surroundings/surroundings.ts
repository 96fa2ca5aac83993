export {
  type DnsServer as TestDnsServer,
  type MailCatcher as TestSmtpServer,
  startDnsServer,
  startMailCatcher as startSmtpServer,
} from '@payassent/world';
