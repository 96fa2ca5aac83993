/*
 * The surroundings of a service: mail, names, certificates, HTTP receivers, push, Prometheus, and hostile input. Every
 * test and tool may import it. All of it is real on loopback, and nothing depends on the service.
 */

export { type DnsServer as TestDnsServer, startDnsServer } from './dns-server.ts';
export { type MailCatcher as TestSmtpServer, startMailCatcher as startSmtpServer } from './mail-catcher.ts';
