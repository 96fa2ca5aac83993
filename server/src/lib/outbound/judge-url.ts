import { isIP } from 'node:net';
import { isLoopbackAddress, isPermittedAddress } from './address.ts';

export type UrlFault =
  | 'too_long'
  | 'invalid_format'
  | 'scheme_not_allowed'
  | 'user_info_not_allowed'
  | 'blocked_address';

type UrlJudgement = { ok: true; url: URL } | { ok: false; reason: UrlFault };

export interface UrlOptions {
  /** Only while the service itself is reached over http on loopback. */
  allowLoopback: boolean;
  /** Set by the host: wherever they lead, and whether they are encrypted, is the host's decision. */
  trustedOrigins?: ReadonlySet<string>;
}

const maxUrlLength = 2_048;

/**
 * Checks of an address that need no name resolution. The host is checked after the WHATWG parser has turned every
 * spelling of an IPv4 address (decimal, octal, hexadecimal, full width digits, …) into dotted quads.
 */
export function judgeUrl(text: string, options: UrlOptions): UrlJudgement {
  if (text.length > maxUrlLength) return { ok: false, reason: 'too_long' };
  // The parser silently drops tabs and line ends and turns backslashes into slashes: rejects what a person reading the
  // address would misread.
  if (/[\u0000-\u0020\u007f-\u00a0\\]/.test(text)) return { ok: false, reason: 'invalid_format' };
  const url = parse(text);
  if (url === undefined) return { ok: false, reason: 'invalid_format' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, reason: 'scheme_not_allowed' };
  if (url.username !== '' || url.password !== '' || hasUserInfo(text)) {
    return { ok: false, reason: 'user_info_not_allowed' };
  }
  if (options.trustedOrigins?.has(url.origin)) return { ok: true, url };
  const host = hostOf(url);
  const loopbackHost = isLoopbackName(host) || isLoopbackAddress(host);
  if (loopbackHost ? !options.allowLoopback : isBlockedLiteral(host, options.allowLoopback)) {
    return { ok: false, reason: 'blocked_address' };
  }
  if (url.protocol === 'http:' && !loopbackHost) return { ok: false, reason: 'scheme_not_allowed' };
  return { ok: true, url };
}

/** The host in a resolver's form: no brackets around IPv6, no final dot. */
function hostOf(url: URL): string {
  return bareHost(url.hostname);
}

export function bareHost(hostname: string): string {
  const unbracketed = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return unbracketed.endsWith('.') ? unbracketed.slice(0, -1) : unbracketed;
}

/** RFC 6761: these names mean this machine, whatever a name server returns. */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function isBlockedLiteral(host: string, allowLoopback: boolean): boolean {
  return isIP(host) !== 0 && !isPermittedAddress(host, allowLoopback);
}

function parse(text: string): URL | undefined {
  // `https:/host` and `https:host` parse as well; only the written-out form is an address people mean.
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return undefined;
  if (/^https?:/i.test(text) && !/^https?:\/\/[^/?#]/i.test(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return undefined;
  const special = url.protocol === 'https:' || url.protocol === 'http:';
  return special && (hostOf(url) === '' || hostOf(url).includes('..')) ? undefined : url;
}

// An empty user (`https://@host`) leaves no trace in the parsed form.
function hasUserInfo(text: string): boolean {
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  return authority.includes('@');
}
