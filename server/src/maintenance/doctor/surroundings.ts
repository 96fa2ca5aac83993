import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { DOCTOR_HEADER, DOCTOR_PATH, proofFor, type Seen } from '../../features/operations/doctor.ts';
import { createDns, DnsError } from '../../lib/dns.ts';
import type { Keys } from '../../lib/keys.ts';
import { greetSmtpServer } from '../../lib/mail/smtp.ts';
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts';

const PATIENCE_MS = 10_000;
const DNS_PATIENCE_MS = 5_000;
const MB = 1024 * 1024;
/** Free disk space below the first is a warning, below the second a `fault`. */
const LOW_DISK = { warning: 2048 * MB, fault: 200 * MB } as const;

export async function diskFinding({ dataDir, database }: Config): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const found = `${Math.floor(free / MB)} MB free in ${dataDir}`;
    if (free >= LOW_DISK.warning) return ok('disk', found);
    const make = free < LOW_DISK.fault && database.kind === 'embedded' ? fault : warning;
    return make('disk', found, 'Make room, or move SVC_DATA_DIR to a larger disk.');
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return ok('disk', `${dataDir} is made by the first start`);
    return fault('disk', `${dataDir}: ${reasonOf(error)}`, 'Make the data folder usable for this user.');
  }
}

/** A name that does not exist is a response too: what counts is that the servers respond. */
export async function dnsFinding(config: Config): Promise<Finding> {
  const { hostname } = new URL(config.baseUrl);
  const name = isIP(hostname.replace(/^\[|\]$/g, '')) ? 'example.com' : hostname;
  const servers = config.dnsServers?.join(', ') ?? 'the system resolver';
  try {
    await createDns(config.dnsServers).txt(name, DNS_PATIENCE_MS);
  } catch (error) {
    const reason = error instanceof DnsError ? error.reason : 'failed';
    if (reason !== 'not_found' && reason !== 'no_data') {
      const make = config.baseUrlIsLoopback ? warning : fault;
      return make(
        'dns',
        `${servers}: ${reason}`,
        'Domain proofs need it: set SVC_DNS_SERVERS, and let UDP and TCP port 53 out.',
      );
    }
  }
  return ok('dns', `${servers} responds`);
}

export async function mailFinding(config: Config): Promise<Finding> {
  const smtpUrl = config.smtpUrl?.reveal();
  if (smtpUrl === undefined) {
    if (config.baseUrlIsLoopback) return ok('mail', `files in ${join(config.dataDir, 'mail')}`);
    return fault(
      'mail',
      'goes to files and is sent to no one',
      'Set SVC_SMTP_URL and SVC_MAIL_FROM: sign-in links go by mail.',
    );
  }
  try {
    return ok('mail', `${await greetSmtpServer(smtpUrl)} takes mail`);
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return fault('mail', found, 'Check SVC_SMTP_URL: host, port, TLS, user and password.');
  }
}

/** Calls the service by its public address and checks what arrives there. */
export async function addressFindings(config: Config, keys: Keys | undefined): Promise<Finding[]> {
  const isRunning = await answersHere(config);
  const here = isRunning
    ? ok('service', `runs on ${config.host}:${config.port}`)
    : warning(
        'service',
        `does not respond on ${config.host}:${config.port}`,
        'Start it and run this again: the address and the proxy are checked with it.',
      );
  if (!keys) return [here];
  return [here, ...(await publicFindings(config, keys, isRunning))];
}

/**
 * Reserved for documentation: no caller has it, so it is only believed where a header under the caller's control is.
 */
const MADE_UP = '192.0.2.77';

async function publicFindings(config: Config, keys: Keys, isRunning: boolean): Promise<Finding[]> {
  const make = isRunning ? fault : warning;
  try {
    const response = await fetch(new URL(DOCTOR_PATH, config.baseUrl), {
      headers: { [DOCTOR_HEADER]: proofFor(keys, new Date()), 'x-forwarded-for': MADE_UP },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status !== 200)
      return [
        make(
          'base URL',
          `${config.baseUrl} returned ${response.status}, not as this installation`,
          'Let SVC_BASE_URL lead here: check the proxy, that it passes Host on, and that every process has this SVC_MASTER_KEY.',
        ),
      ];
    const seen = (await response.json()) as Seen;
    return [ok('base URL', `${config.baseUrl} leads here`), proxyFinding(config, seen)];
  } catch (error) {
    return [
      make(
        'base URL',
        `${config.baseUrl}: ${reasonOf(error)}`,
        'Check its name in DNS, its certificate, the proxy and the firewall.',
      ),
    ];
  }
}

function proxyFinding(config: Config, seen: Seen): Finding {
  const hops = (seen.forwarded_for ?? '').split(',').map((hop) => hop.trim());
  const hasAppended = hops.length > 1 || hops[0] !== MADE_UP;
  if (config.baseUrlIsLoopback && !hasAppended && !seen.peer_is_trusted)
    return ok('proxy', 'none; addresses are those of the connections');
  if (seen.peer_is_trusted)
    return hasAppended && seen.forwarded_for !== null
      ? ok('proxy', `${seen.peer} is trusted and adds the caller to X-Forwarded-For`)
      : fault(
          'proxy',
          `${seen.peer} is trusted, but passes X-Forwarded-For on as callers write it`,
          'Let the proxy append the address of its caller (nginx: $proxy_add_x_forwarded_for), or take it out of SVC_TRUSTED_PROXIES.',
        );
  return warning(
    'proxy',
    `calls come from ${seen.peer}, which is not trusted: all callers share its limits`,
    `Add ${seen.peer} to SVC_TRUSTED_PROXIES if it is the proxy.`,
  );
}

async function answersHere({ host, port }: Config): Promise<boolean> {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const shown = local.includes(':') ? `[${local}]` : local;
  return fetch(`http://${shown}:${port}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    () => true,
    () => false,
  );
}
