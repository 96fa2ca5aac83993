import { type DomainMethod, payeeRecordName, payeeRecordsUrl } from '@payassent/protocol';
import { AppError } from '../../errors.ts';
import { type Dns, DnsError, type DnsFailure } from '../../lib/dns.ts';
import type { Outbound, OutboundResult } from '../../lib/outbound/index.ts';
import { TIME_OUTS } from '../../limits.ts';
import { challengeRecordName, challengeUrl } from './challenge.ts';

export interface ProofParts {
  dns: Dns;
  outbound: Outbound;
}

interface DomainToProve {
  domain: string;
  method: DomainMethod;
  /** The value that must be published. */
  challenge: string;
}

/** What was queried, found and expected: enough for the domain's owner to fix DNS or the web server. */
export interface ProofFailure {
  method: DomainMethod;
  looked_up: { type: 'TXT'; name: string } | { url: string };
  expected: string;
  found: readonly string[] | { http_status: number; body: string } | null;
  reason: string;
  explanation: string;
}

type ProofResult =
  | { ok: true }
  | {
      ok: false;
      details: ProofFailure;
      /** No usable response: the challenge may well be published. */
      inconclusive: boolean;
    };

const DNS_TIMEOUT_MS = TIME_OUTS.domainDns.s * 1000;
const HTTPS_DEADLINE_MS = TIME_OUTS.domainHttps.s * 1000;
/** Two holders of a name are checked one after the other. */
export const PROOFS_S = (2 * HTTPS_DEADLINE_MS) / 1000;
const MAX_BODY_BYTES = 4_096;
/** Some 800 payee records. */
const MAX_LIST_BYTES = 65_536;
const MAX_RECORDS_SHOWN = 10;
const MAX_TEXT_SHOWN = 200;

/** What the owner of a domain publishes, in one of the two places. */
interface Published {
  method: DomainMethod;
  name: string;
  url: string;
  expected: string;
  /** The file at the URL is a list: one of its lines must be the value. Otherwise it holds the value alone. */
  isList: boolean;
}

/** Checks the challenge now. Network work: never inside a transaction. */
export function proveDomainNow(parts: ProofParts, domain: DomainToProve): Promise<ProofResult> {
  return lookUp(parts, {
    method: domain.method,
    name: challengeRecordName(domain.domain),
    url: challengeUrl(domain.domain),
    expected: domain.challenge,
    isList: false,
  });
}

/** Checks whether the domain itself names this payee. Network work too. */
export function provePayeeNow(
  parts: ProofParts,
  domain: Pick<DomainToProve, 'domain' | 'method'>,
  payeeRecord: string,
): Promise<ProofResult> {
  return lookUp(parts, {
    method: domain.method,
    name: payeeRecordName(domain.domain),
    url: payeeRecordsUrl(domain.domain),
    expected: payeeRecord,
    isList: true,
  });
}

function lookUp(parts: ProofParts, published: Published): Promise<ProofResult> {
  return published.method === 'dns'
    ? proveByDns(parts.dns, published)
    : proveByHttps(parts.outbound, published);
}

export function domainProofFailed(details: ProofFailure): AppError {
  return new AppError('domain_proof_failed', {
    message: `${details.explanation} Nothing has changed.`,
    details: { ...details },
  });
}

const DNS_REASONS: Record<DnsFailure, { reason: string; inconclusive: boolean; say(name: string): string }> =
  {
    not_found: {
      reason: 'name_not_found',
      inconclusive: false,
      say: (name) => `There is no DNS record at ${name}.`,
    },
    no_data: {
      reason: 'no_txt_record',
      inconclusive: false,
      say: (name) => `${name} exists, but has no TXT record.`,
    },
    timeout: {
      reason: 'dns_timeout',
      inconclusive: true,
      say: (name) => `The name servers did not respond within 5 seconds to a query for ${name}.`,
    },
    refused: {
      reason: 'dns_refused',
      inconclusive: true,
      say: (name) => `The name servers refused the query for ${name}.`,
    },
    failed: {
      reason: 'dns_failed',
      inconclusive: true,
      say: (name) => `The name servers failed to resolve ${name}.`,
    },
  };

async function proveByDns(dns: Dns, { name, method, expected }: Published): Promise<ProofResult> {
  const lookup = { method, looked_up: { type: 'TXT' as const, name }, expected };
  let records: string[];
  try {
    records = await dns.txt(name, DNS_TIMEOUT_MS);
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
    const { reason, inconclusive, say } = DNS_REASONS[error.reason];
    return {
      ok: false,
      inconclusive,
      details: { ...lookup, found: [], reason, explanation: say(name) },
    };
  }
  if (records.includes(expected)) return { ok: true };
  const found = records.slice(0, MAX_RECORDS_SHOWN).map(shortened);
  const explanation = explainDifference(name, records, expected);
  return {
    ok: false,
    inconclusive: false,
    details: { ...lookup, found, reason: 'value_differs', explanation },
  };
}

function explainDifference(name: string, records: readonly string[], expected: string): string {
  const almost = records.some((record) => record.replaceAll(/["'\s]/g, '') === expected);
  if (almost)
    return `The TXT record at ${name} has the value with quotation marks or spaces in it: publish the value alone.`;
  const count = records.length === 1 ? 'one TXT record' : `${records.length} TXT records`;
  return `${name} has ${count}, but none equals the expected value exactly.`;
}

async function proveByHttps(outbound: Outbound, published: Published): Promise<ProofResult> {
  const { url, method, expected } = published;
  const result = await outbound.send({
    url,
    method: 'GET',
    headers: { accept: 'text/plain, */*;q=0.1', 'user-agent': 'PayAssent domain proof' },
    deadlineMs: HTTPS_DEADLINE_MS,
    maxBodyBytes: published.isList ? MAX_LIST_BYTES : MAX_BODY_BYTES,
    // An open connection would lead to an earlier address of the name.
    isFresh: true,
  });
  const fault = judgeAnswer(result, published);
  if (!fault) return { ok: true };
  return {
    ok: false,
    inconclusive: isInconclusive(result),
    details: { method, looked_up: { url }, expected, ...fault },
  };
}

/** Other content, a missing file or a name without an address is a response; a web server that is down sends none. */
function isInconclusive(result: OutboundResult): boolean {
  if (result.ok) return result.status >= 500 || result.status === 429;
  if (result.errorClass === 'dns_failed') return DNS_REASONS[result.dnsFailure ?? 'failed'].inconclusive;
  return true;
}

type Fault = Pick<ProofFailure, 'found' | 'reason' | 'explanation'>;

function judgeAnswer(result: OutboundResult, { url, expected, isList }: Published): Fault | undefined {
  if (!result.ok) {
    const explanation = CONNECTION_FAULTS[result.errorClass] ?? 'the request failed';
    return {
      found: null,
      reason: result.errorClass,
      explanation: `${url} could not be read: ${explanation}.`,
    };
  }
  const body = Buffer.from(result.body).toString('utf8');
  const found = { http_status: result.status, body: shortened(body) };
  if (result.status !== 200) {
    const redirect = result.status >= 300 && result.status < 400 ? ' Redirects are not followed.' : '';
    return {
      found,
      reason: redirect ? 'redirected' : 'http_status',
      explanation: `${url} returned status ${result.status} instead of 200.${redirect}`,
    };
  }
  if (result.truncated)
    return {
      found,
      reason: 'body_too_long',
      explanation: isList
        ? `${url} is longer than 64 KiB.`
        : `${url} is longer than 4 KiB; it must hold the value alone.`,
    };
  if (isPublishedIn(Buffer.from(result.body), expected, isList)) return undefined;
  return {
    found,
    reason: 'value_differs',
    explanation: isList
      ? `${url} was found, but none of its lines equals the expected value exactly.`
      : `${url} was found, but its content does not equal the expected value exactly.`,
  };
}

const CONNECTION_FAULTS: Record<string, string> = {
  blocked_address: 'its name leads to an address that is not public',
  dns_failed: 'its name could not be resolved to an address',
  connect_failed: 'no connection to port 443 could be made',
  tls_failed: 'its certificate was not accepted',
  connection_reset: 'the server closed the connection',
  invalid_response: 'the server did not respond with valid HTTP',
  timeout: 'there was no complete response within 10 seconds',
};

/** One final line end is what every editor adds; any other difference counts. */
function isPublishedIn(body: Buffer, expected: string, isList: boolean): boolean {
  if (isList) return body.toString('utf8').split(/\r?\n/).includes(expected);
  return Buffer.compare(withoutLineEnd(body), Buffer.from(expected)) === 0;
}

function withoutLineEnd(body: Buffer): Buffer {
  if (body.at(-1) !== 0x0a) return body;
  return body.subarray(0, body.at(-2) === 0x0d ? -2 : -1);
}

function shortened(text: string): string {
  return text.length > MAX_TEXT_SHOWN ? `${text.slice(0, MAX_TEXT_SHOWN)}…` : text;
}
