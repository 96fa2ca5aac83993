import type { RandomBytes } from './ids.ts';

/**
 * The short code that a person reads from one screen and types into another. Consonants only, so that no code spells a
 * word, and without letters that resemble digits; shown in two groups, read without case and hyphen.
 */
export const PAIRING_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const PAIRING_CODE_LENGTH = 8;
export const PAIRING_CODE_PATTERN = `^[${PAIRING_CODE_ALPHABET}]{4}-[${PAIRING_CODE_ALPHABET}]{4}$`;

const CODE = new RegExp(`^[${PAIRING_CODE_ALPHABET}]{${PAIRING_CODE_LENGTH}}$`);

/** Eight letters without hyphen: the form that is stored and compared. */
export function newPairingCode(randomBytes: RandomBytes): string {
  let code = '';
  while (code.length < PAIRING_CODE_LENGTH) {
    for (const byte of randomBytes(16)) {
      // 240 is the largest multiple of 20 in a byte; what is above would favour some letters.
      if (byte < 240 && code.length < PAIRING_CODE_LENGTH) code += PAIRING_CODE_ALPHABET.charAt(byte % 20);
    }
  }
  return code;
}

export function formatPairingCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** What a person typed, as stored; undefined when it cannot be a code. */
export function normalisePairingCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const code = typed.replaceAll('-', '').trim().toUpperCase();
  return CODE.test(code) ? code : undefined;
}

export interface PairingLink {
  sessionId: string;
  /** Without hyphen. */
  code: string;
  /** The service's base URL, to which the wallet sends its calls. */
  origin: string;
}

export function buildPairingUri(link: PairingLink): string {
  return `svc://pair?session=${encodeURIComponent(link.sessionId)}&code=${link.code}&origin=${encodeURIComponent(link.origin)}`;
}

/** Undefined unless it is exactly such a URI with each member once. */
export function parsePairingUri(uri: string): PairingLink | undefined {
  const query = /^svc:\/\/pair\?([^#]*)$/i.exec(uri)?.[1];
  if (query === undefined) return undefined;
  const members = new URLSearchParams(query);
  const [session, code, origin] = ['session', 'code', 'origin'].map((name) => {
    const values = members.getAll(name);
    return values.length === 1 ? values[0] : undefined;
  });
  const normalised = code === undefined ? undefined : normalisePairingCode(code);
  if (!session || normalised === undefined || !origin || !isHttpOrigin(origin)) return undefined;
  return { sessionId: session, code: normalised, origin };
}

/**
 * The page of the wallet that takes the code of a pairing URI: a phone without the app opens it as well. The code is in the
 * fragment, which no browser sends and no log has. What is no pairing URI stays as it is.
 */
export function pairingWebLink(uri: string): string {
  const link = parsePairingUri(uri);
  return link === undefined ? uri : `${link.origin}/wallet/connect#${formatPairingCode(link.code)}`;
}

/** Undefined unless it is exactly such a link. */
export function parsePairingWebLink(link: string): Pick<PairingLink, 'origin' | 'code'> | undefined {
  const [, origin, typed] = /^(https?:\/\/[^/?#\s]+)\/wallet\/connect#([A-Za-z-]+)$/i.exec(link) ?? [];
  const code = typed === undefined ? undefined : normalisePairingCode(typed);
  if (origin === undefined || code === undefined || !isHttpOrigin(origin)) return undefined;
  return { origin, code };
}

function isHttpOrigin(text: string): boolean {
  try {
    const url = new URL(text);
    return (
      (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === ''
    );
  } catch {
    return false;
  }
}
