export { type DnsServer as TestDnsServer, startDnsServer } from './dns-server.ts';
export { type MailCatcher as TestSmtpServer, startMailCatcher as startSmtpServer } from './mail-catcher.ts';
