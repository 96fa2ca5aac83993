import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { NETWORKS, type Network, SECOND_SURFACE_NETWORK } from '@payassent/protocol';
import { addressFaults, describeAddress, parseAddress } from '../db/address.ts';
import { parseRateLimits } from '../http/limits/table.ts';
import { isCidr } from '../lib/client-address.ts';
import { parseDnsServer } from '../lib/dns.ts';
import { Secret } from '../lib/secret.ts';
import { parseCaps } from './caps.ts';
import { parseLogWitnesses } from './log-witnesses.ts';
import { parseObserve } from './observe.ts';
import { createReader, type Env, FILE_VARIABLES, type Reader, withConfigFile } from './reader.ts';

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type { Env } from './reader.ts';

export const CONFIG_VARIABLES: Readonly<Record<string, string>> = {
  SVC_CONFIG_FILE: 'a file of KEY=value lines, each used unless the environment has the same variable (none)',
  SVC_HOST: 'address to listen on (127.0.0.1)',
  SVC_PORT: 'port to listen on (8787)',
  SVC_BASE_URL: 'public address of the service (http://127.0.0.1:<port>)',
  DATABASE_URL: 'PostgreSQL server, postgres://…; unset: an embedded PostgreSQL in SVC_DATA_DIR',
  SVC_DATABASE_SESSION_URL:
    'the same database past a transaction pooler, for LISTEN and migrations (DATABASE_URL)',
  SVC_MIGRATE: 'off: leave migrations to "payassent migrate" (on)',
  SVC_DATA_DIR: 'folder for the embedded database, the master key file and local mail (./data)',
  SVC_MASTER_KEY: '32 bytes in base64; required with DATABASE_URL',
  SVC_MASTER_KEY_PREVIOUS: 'previous master keys, comma separated, for reading only',
  SVC_SMTP_URL:
    'smtp:// or smtps:// server for mail, always encrypted unless it is loopback or has ?tls=optional; unset: .eml files in <data dir>/mail',
  SVC_MAIL_FROM: 'sender of mail; required with SVC_SMTP_URL',
  SVC_TRUSTED_PROXIES: 'CIDR list of proxies whose X-Forwarded-For is believed, or none (none)',
  SVC_CORS_ORIGINS:
    'origins whose pages may call the API from a browser, without cookies: https://app.example[,…] (none)',
  SVC_ALLOW_UNSAFE_DURABILITY: 'on: accept a database that may lose acknowledged writes (off)',
  SVC_DB_POOL: 'database connections per process, at least 2 (8)',
  SVC_DNS_SERVERS: 'host:port[,…] used for domain proofs (the system resolver)',
  SVC_ENABLED_NETWORKS: 'networks on which payees may be activated (stellar_testnet)',
  SVC_PAYEE_BINDING: 'required: a domain must publish each payee record, or optional (optional)',
  SVC_PAYEE_CHANGE:
    'guarded: a changed payee needs a passkey, a record in DNS or a second owner, or open (guarded; open on a loopback base URL)',
  SVC_REQUIRE_PROOF:
    'new_agents: calls of agents made from now on need a proof of their key, or never (new_agents; never on a loopback base URL)',
  SVC_METRICS_TOKEN: 'bearer token for /metrics (open on a loopback base URL, closed elsewhere)',
  SVC_LOG_WITNESSES: 'witnesses of the transparency log, <vkey> <url>[,…] (none)',
  SVC_OBSERVE:
    'sources that show whether reported transactions are on their chain, <network>=<url>[|<url>…][,…] (none)',
  SVC_POLICY_SPEND:
    'observed: only the chain gives back what a failed payment had reserved of its policy, or reported (reported)',
  SVC_SECURITY_CONTACT: 'mailto: or https: address in security.txt (mailto:security@<host of the base URL>)',
  SVC_RATE_LIMITS: 'on, off, or name=count/period,… (on; off on a loopback base URL)',
  SVC_CAPS: 'on, off, or name=count,… (on; off on a loopback base URL)',
  SVC_HORIZON_URL:
    'Horizon server that the wallet page may submit test transactions to (https://horizon-testnet.stellar.org)',
  SVC_WORKERS: 'server processes on one port (1)',
  SVC_DRAIN_S:
    'seconds between SIGTERM, when it is no longer ready, and the end of its port (5; 0 on a loopback base URL)',
  SVC_OTLP_URL: 'OpenTelemetry collector that spans are sent to, OTLP over HTTP, without /v1/traces (none)',
  SVC_LOG_LEVEL: `one of ${LOG_LEVELS.join(', ')} (info)`,
};

export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'an error' : `${faults.length} errors`}:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Reads the whole environment and reports every problem in one error. */
export function parseConfig(given: Env): Config {
  const faults: string[] = [];
  const env = withConfigFile(given, faults);
  const read = createReader(env, faults);

  for (const name of Object.keys(env)) {
    if (name.startsWith('SVC_') && !(name in CONFIG_VARIABLES) && !FILE_VARIABLES.has(name)) {
      faults.push(`${name} is not a variable of PayAssent: remove it or correct its name${nearest(name)}.`);
    }
  }

  const config = readSettings(read);
  if (config.policySpend === 'observed' && !config.observe.has(SECOND_SURFACE_NETWORK))
    faults.push(
      `SVC_POLICY_SPEND is "observed", but ${SECOND_SURFACE_NETWORK} has no source: name one in SVC_OBSERVE.`,
    );
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

export type Config = Readonly<ReturnType<typeof readSettings>>;

function readSettings(read: Reader) {
  const port = read.integer('SVC_PORT', 8787, 1, 65_535);
  const base = readBaseUrl(read, port);
  const databaseUrl = readDatabaseUrl(read, 'DATABASE_URL');
  const sessionUrl = readDatabaseUrl(read, 'SVC_DATABASE_SESSION_URL');
  const smtpUrl = readSmtpUrl(read);
  const mailFrom = read.text('SVC_MAIL_FROM');
  const masterKey = read.masterKeys('SVC_MASTER_KEY')[0];
  if (sessionUrl && !databaseUrl)
    read.faults.push(
      'SVC_DATABASE_SESSION_URL needs your own database: set DATABASE_URL as well, or remove it.',
    );
  if (databaseUrl && !masterKey) {
    read.faults.push(
      'SVC_MASTER_KEY is required with DATABASE_URL: set it to 32 random bytes in base64 (openssl rand -base64 32) and keep it outside the database.',
    );
  }
  if (smtpUrl && !mailFrom) {
    read.faults.push(
      'SVC_MAIL_FROM is required with SVC_SMTP_URL: set the sender, for example "PayAssent <no-reply@pay.example>".',
    );
  }

  const proxies = readProxies(read);
  const guards = base.baseUrlIsLoopback ? 'off' : 'on';
  return {
    host: readHost(read, base.baseUrlIsLoopback),
    port,
    ...base,
    database: databaseUrl
      ? { kind: 'server' as const, url: databaseUrl, sessionUrl }
      : { kind: 'embedded' as const },
    /** Off: the host migrates the schema separately, and the service needs no right to change it. */
    migrates: read.oneOf('SVC_MIGRATE', ['on', 'off'] as const, 'on') === 'on',
    dataDir: resolve(read.text('SVC_DATA_DIR') ?? './data'),
    masterKey,
    previousMasterKeys: read.masterKeys('SVC_MASTER_KEY_PREVIOUS'),
    smtpUrl: smtpUrl ? new Secret(smtpUrl) : undefined,
    mailFrom: mailFrom ?? 'PayAssent <payassent@localhost>',
    trustedProxies: proxies ?? [],
    /** Pages of these origins may call; none gets cookies. */
    corsOrigins: read.list(
      'SVC_CORS_ORIGINS',
      isPageOrigin,
      'an https origin (http on loopback) as browsers send it, such as https://app.example: no *, path or final slash',
    ),
    allowUnsafeDurability: read.oneOf('SVC_ALLOW_UNSAFE_DURABILITY', ['off', 'on'] as const, 'off') === 'on',
    dbPool: read.integer('SVC_DB_POOL', 8, 2, 200),
    dnsServers: emptyAsUndefined(
      read.list(
        'SVC_DNS_SERVERS',
        (text) => parseDnsServer(text) !== undefined,
        'a host with an optional port such as 127.0.0.1:5353',
      ),
    ),
    enabledNetworks: readNetworks(read),
    /** `required`: evidence is made only for payees that the domain itself names. */
    payeeBinding: read.oneOf('SVC_PAYEE_BINDING', ['optional', 'required'] as const, 'optional'),
    /** `guarded`: changing the active payment details needs more than access to a mailbox. */
    payeeChange: read.oneOf(
      'SVC_PAYEE_CHANGE',
      ['guarded', 'open'] as const,
      base.baseUrlIsLoopback ? 'open' : 'guarded',
    ),
    /** Whether a call of a new agent needs a proof signed with the agent's key. */
    newAgentsRequireProof:
      read.oneOf(
        'SVC_REQUIRE_PROOF',
        ['new_agents', 'never'] as const,
        base.baseUrlIsLoopback ? 'never' : 'new_agents',
      ) === 'new_agents',
    metricsToken: read.secret('SVC_METRICS_TOKEN'),
    /** Who cosigns the checkpoints of the transparency log. */
    logWitnesses: parsedBy(read, 'SVC_LOG_WITNESSES', parseLogWitnesses).witnesses,
    /** Sources per chain; networks not listed are not observed. */
    observe: parsedBy(read, 'SVC_OBSERVE', parseObserve).observed,
    /** `observed`: a policy's reservation is returned only when the chain shows that a signed payment failed. */
    policySpend: read.oneOf('SVC_POLICY_SPEND', ['reported', 'observed'] as const, 'reported'),
    /** Where a person reports a vulnerability: a URI, published in `security.txt`. */
    securityContact:
      read.url('SVC_SECURITY_CONTACT', ['mailto:', 'https:']) ??
      `mailto:security@${new URL(base.baseUrl).hostname}`,
    rateLimits: parsedBy(read, 'SVC_RATE_LIMITS', parseRateLimits, guards).limits,
    caps: parsedBy(read, 'SVC_CAPS', parseCaps, guards).caps,
    /**
     * The Horizon to which the wallet page submits transactions of the test network; the service itself never calls it.
     */
    horizonUrl: read.url('SVC_HORIZON_URL', ['https:', 'http:']) ?? 'https://horizon-testnet.stellar.org',
    workers: read.integer('SVC_WORKERS', 1, 1, 64),
    /** How long `/ready` fails before the port closes. */
    drainS: read.integer('SVC_DRAIN_S', base.baseUrlIsLoopback ? 0 : 5, 0, 600),
    /** The collector of spans; undefined: none are made. */
    otlpUrl: read.url('SVC_OTLP_URL', ['http:', 'https:']),
    logLevel: read.oneOf('SVC_LOG_LEVEL', LOG_LEVELS, 'info'),
    /** Settings that work but deserve the host's attention; printed at startup. */
    warnings: warningsOf(base.baseUrlIsLoopback, proxies),
  };
}

/** The effective configuration for people: secrets stay hidden. */
export function describeConfig(config: Config): Record<string, unknown> {
  const shown = (secret: Secret | undefined) => (secret ? '[set]' : null);
  return {
    ...config,
    database: describeDatabase(config),
    masterKey: shown(config.masterKey),
    previousMasterKeys: config.previousMasterKeys.length,
    smtpUrl: shown(config.smtpUrl),
    metricsToken: shown(config.metricsToken),
    observe: Object.fromEntries([...config.observe].map(([network, { length }]) => [network, length])),
  };
}

export function describeDatabase({ database }: Config): string {
  if (database.kind === 'embedded') return 'embedded';
  const shown = describeAddress(database.url.reveal());
  return database.sessionUrl ? `${shown}; sessions ${describeAddress(database.sessionUrl.reveal())}` : shown;
}

/** The value may carry a password, so no message repeats it. */
function readDatabaseUrl(read: Reader, name: string): Secret | undefined {
  const value = read.text(name);
  if (value === undefined) return undefined;
  if (!parseAddress(value)) {
    read.faults.push(
      `${name} is not a usable address: set one such as postgres://user@host:5432/name, or postgres://user@host1:5432,host2:5432/name.`,
    );
    return undefined;
  }
  for (const fault of addressFaults(value)) read.faults.push(`${name} ${fault}.`);
  return new Secret(value);
}

/** A loopback base URL turns limits and caps off and allows webhooks to this machine: no other machine can reach it. */
function readHost(read: Reader, baseUrlIsLoopback: boolean): string {
  const host = read.text('SVC_HOST') ?? '127.0.0.1';
  if (!isIP(host) && !/^[a-zA-Z0-9.-]+$/.test(host)) {
    read.faults.push(`SVC_HOST is "${host}": set an address such as 127.0.0.1 or 0.0.0.0.`);
  } else if (baseUrlIsLoopback && host !== '::1' && !isLoopbackHost(host)) {
    read.faults.push(
      `SVC_HOST is "${host}", which other machines can reach, but SVC_BASE_URL is a loopback address, ` +
        'which turns limits off: set SVC_BASE_URL to the public https address, or SVC_HOST to 127.0.0.1.',
    );
  }
  return host;
}

/** Undefined when it is not set at all. */
function readProxies(read: Reader): string[] | undefined {
  const text = read.text('SVC_TRUSTED_PROXIES');
  if (text === undefined || text === 'none') return text === undefined ? undefined : [];
  return read.list('SVC_TRUSTED_PROXIES', isCidr, 'an address or CIDR block such as 10.0.0.0/8');
}

function readSmtpUrl(read: Reader): string | undefined {
  const url = read.url('SVC_SMTP_URL', ['smtp:', 'smtps:']);
  const tls = url === undefined ? null : new URL(url).searchParams.get('tls');
  if (tls !== null && tls !== 'optional')
    read.faults.push(
      'SVC_SMTP_URL has another "tls" than "optional": leave it out, so that mail is always encrypted.',
    );
  return url;
}

function warningsOf(baseUrlIsLoopback: boolean, proxies: readonly string[] | undefined): string[] {
  if (baseUrlIsLoopback || proxies !== undefined) return [];
  return [
    'SVC_TRUSTED_PROXIES is not set, but an https SVC_BASE_URL always has a proxy in front: all callers share its ' +
      'address and one limit. Set it to the address of the proxy, or to "none" if this is meant.',
  ];
}

/** Without a trailing slash. */
function readBaseUrl(read: Reader, port: number): { baseUrl: string; baseUrlIsLoopback: boolean } {
  const fallback = { baseUrl: `http://127.0.0.1:${port}`, baseUrlIsLoopback: true };
  const value = read.text('SVC_BASE_URL');
  if (value === undefined) return fallback;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (
    !url ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  ) {
    read.faults.push('SVC_BASE_URL must be an origin such as https://pay.example: no path, query or user.');
    return fallback;
  }
  const baseUrlIsLoopback = url.protocol === 'http:' && isLoopbackHost(url.hostname);
  if (url.protocol === 'http:' && !baseUrlIsLoopback) {
    read.faults.push(
      'SVC_BASE_URL uses http with a public host: use https, or a loopback host for local work.',
    );
  }
  return { baseUrl: url.origin, baseUrlIsLoopback };
}

/** As browsers write it in `Origin`, with which it is compared. */
function isPageOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (hostname.includes('*')) return false;
  return text === origin && (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname)));
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function readNetworks(read: Reader): readonly Network[] {
  const known = new Set<string>(NETWORKS);
  const names = read.list('SVC_ENABLED_NETWORKS', (name) => known.has(name), `one of ${NETWORKS.join(', ')}`);
  const networks = NETWORKS.filter((network) => names.includes(network));
  return networks.length > 0 ? networks : ['stellar_testnet'];
}

/** Reads a variable with its parser; the parser's errors are prefixed with the variable's name. */
function parsedBy<Parsed extends { faults: readonly string[] }>(
  read: Reader,
  name: string,
  parse: (text: string) => Parsed,
  fallback = '',
): Parsed {
  const parsed = parse(read.text(name) ?? fallback);
  for (const fault of parsed.faults) read.faults.push(`${name} ${fault}`);
  return parsed;
}

function emptyAsUndefined(items: string[]): string[] | undefined {
  return items.length === 0 ? undefined : items;
}

function nearest(name: string): string {
  const candidate = Object.keys(CONFIG_VARIABLES).find(
    (known) =>
      known.replaceAll('_', '') === name.replaceAll('_', '') ||
      known.startsWith(name) ||
      name.startsWith(known),
  );
  return candidate ? ` (did you mean ${candidate}?)` : '';
}
