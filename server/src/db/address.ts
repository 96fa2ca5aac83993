import { readFileSync } from 'node:fs';

/** A `postgres://` address as libpq reads it: several hosts, a Unix socket, certificates. */
export interface Address {
  /** With the first host only. */
  url: URL;
  hosts: { host: string; port: number }[];
}

const FORM = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/;
const DEFAULT_PORT = 5432;

export function parseAddress(text: string): Address | undefined {
  const urls = eachHost(text);
  if (!FORM.test(text) || !urls.every((url) => URL.canParse(url))) return undefined;
  const parsed = urls.map((url) => new URL(url));
  const [url] = parsed;
  const hosts = parsed.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || DEFAULT_PORT),
  }));
  return url && { url, hosts };
}

/** An address for each of its hosts. */
export function eachHost(text: string): string[] {
  const [, head = '', places = '', tail = ''] = FORM.exec(text) ?? [];
  return places.split(',').map((place) => `${head}${place}${tail}`);
}

/** The same place, for another role. */
export function addressFor(text: string, database: string, username: string, password: string): string {
  const { url } = parsedAddress(text);
  const own = new URL(url);
  own.username = username;
  own.password = password;
  // Without a name, the database is the one named after the user.
  if (own.pathname.length <= 1) own.pathname = `/${database}`;
  return own.href.replace(`@${url.host}`, `@${FORM.exec(text)?.[2] ?? url.host}`);
}

/** The parts of it that a person may read. */
export function describeAddress(text: string): string {
  const { url, hosts } = parsedAddress(text);
  const socket = socketOf(url);
  const place = socket ?? hosts.map(({ host, port }) => `${host}:${port}`).join(',');
  const tls = tlsModeOf(url);
  const notes = [
    ...(socket ? [] : [tls === 'disable' ? 'no TLS' : `TLS ${tls}`]),
    ...(hosts.length > 1 ? ['the first host that takes writes'] : []),
    ...(isPrepared(text) ? [] : ['no prepared statements']),
  ];
  const shown = `postgres://${url.username ? `${url.username}@` : ''}${place}${url.pathname}`;
  return notes.length > 0 ? `${shown} (${notes.join(', ')})` : shown;
}

/** The problems of an address that can be parsed. */
export function addressFaults(text: string): string[] {
  const { searchParams } = parsedAddress(text).url;
  const oneOf = (name: string, values: readonly string[]) => {
    const value = searchParams.get(name);
    return value === null || values.includes(value)
      ? []
      : [`has ${name}=${value}: set one of ${values.join(', ')}`];
  };
  const file = searchParams.get('sslrootcert');
  const isReadable = file === null || file === 'system' || readCertificates(file) !== undefined;
  return [
    ...oneOf('target_session_attrs', ['any', 'read-write', 'primary']),
    ...oneOf('sslmode', ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']),
    ...oneOf('prepare', ['true', 'false']),
    ...(isReadable ? [] : [`names the certificates ${file} (sslrootcert), which cannot be read`]),
  ];
}

/** Named prepared statements live in one backend; they fail behind a pooler that changes backends. */
export function isPrepared(text: string): boolean {
  return parsedAddress(text).url.searchParams.get('prepare') !== 'false';
}

/** In the driver's form, without what it would pass to the server as a parameter. */
export function driverAddress(text: string): { url: string; options: Record<string, unknown> } {
  const { url, hosts } = parsedAddress(text);
  const plain = new URL(url);
  const socket = socketOf(url);
  if (socket) plain.searchParams.delete('host');
  for (const name of ['sslmode', 'sslrootcert', 'target_session_attrs']) plain.searchParams.delete(name);
  const place = socket
    ? { host: socket, port: Number(url.port || DEFAULT_PORT) }
    : { host: hosts.map(({ host }) => host), port: hosts.map(({ port }) => port) };
  return { url: plain.href, options: { ...place, ssl: socket ? false : tlsOf(url) } };
}

function parsedAddress(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new Error('The address of the database cannot be read.');
  return address;
}

/** `?host=/run/postgresql` names a Unix socket, as everywhere in the PostgreSQL world; the driver does not read it. */
function socketOf({ searchParams }: URL): string | undefined {
  const host = searchParams.get('host');
  return host?.startsWith('/') ? host : undefined;
}

/** With certificates to check against, `require` checks them, as libpq does. */
function tlsModeOf({ searchParams }: URL): string {
  const root = searchParams.get('sslrootcert');
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl') ?? (root ? 'prefer' : 'disable');
  if (root === 'system') return 'verify-full';
  return root && mode === 'require' ? 'verify-ca' : mode;
}

function tlsOf(url: URL): unknown {
  const mode = tlsModeOf(url);
  if (mode === 'disable' || mode === 'false') return false;
  if (mode !== 'verify-ca' && mode !== 'verify-full') return mode === 'true' ? true : mode;
  const file = url.searchParams.get('sslrootcert');
  const ca = file === null || file === 'system' ? undefined : readCertificates(file);
  return {
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}

function readCertificates(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
