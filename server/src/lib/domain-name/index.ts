import { getPublicSuffix } from 'tldts';
import { toASCII } from 'tr46';

export type DomainNameFault =
  | 'empty'
  | 'too_long'
  | 'not_a_host_name'
  | 'ip_address'
  | 'single_label'
  | 'public_suffix';

type DomainNameResult = { ok: true; domain: string } | { ok: false; reason: DomainNameFault };

// A name of 253 bytes is never longer than this in Unicode, even when every character is decomposed.
const maxInputLength = 1_024;

const strict = {
  checkHyphens: true,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
  ignoreInvalidPunycode: false,
} as const;

/**
 * The exact host that a text names: A-labels in lower case by strict UTS #46. Anything that is not plainly a
 * registrable host name (scheme, port, path, wildcard, address, single label, public suffix) is rejected.
 */
export function parseDomainName(text: string): DomainNameResult {
  if (text === '') return { ok: false, reason: 'empty' };
  if (text.length > maxInputLength) return { ok: false, reason: 'too_long' };
  // Ideographic and full width full stops are separators in UTS #46 as well.
  const withoutRoot = text.replace(/[.\u3002\uff0e\uff61]$/u, '');
  const ascii = toASCII(withoutRoot, strict);
  if (ascii === null) return { ok: false, reason: 'not_a_host_name' };
  const labels = ascii.split('.');
  const last = labels.at(-1) ?? '';
  // URL parsers read a numeric last label as the end of an IPv4 address.
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(last)) return { ok: false, reason: 'ip_address' };
  if (labels.length < 2) return { ok: false, reason: 'single_label' };
  // Private suffixes count: names under them belong to other people.
  if (getPublicSuffix(ascii, { allowPrivateDomains: true }) === ascii) {
    return { ok: false, reason: 'public_suffix' };
  }
  return { ok: true, domain: ascii };
}
