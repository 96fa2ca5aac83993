import { errors } from 'undici';
import { DnsError, type DnsFailure } from '../dns.ts';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the call to the last byte of the response that is read, including the wait for a connection. */
  deadlineMs: number;
  /** The rest of a longer response is not read; its connection is closed. */
  maxBodyBytes: number;
  /** Resolves the name and connects for this request alone: an earlier lookup does not count. */
  isFresh?: boolean;
}

export type OutboundResult =
  | {
      ok: true;
      status: number;
      headers: Record<string, string>;
      body: Uint8Array;
      truncated: boolean;
      durationMs: number;
    }
  | {
      ok: false;
      errorClass: OutboundErrorClass;
      message: string;
      durationMs: number;
      /** For `dns_failed`: whether the name servers returned that there is no address, or failed. */
      dnsFailure?: DnsFailure;
    };

export interface Outbound {
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResult>;
  close(): Promise<void>;
}

type OutboundErrorClass =
  | 'invalid_url'
  | 'blocked_address'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'connection_reset'
  | 'invalid_response'
  | 'timeout'
  | 'aborted'
  | 'request_failed';

/** A failure whose class is known where it happens. The message may be logged, but is never shown to a merchant. */
export class OutboundFault extends Error {
  override readonly name = 'OutboundFault';
  readonly errorClass: OutboundErrorClass;
  readonly dnsFailure: DnsFailure | undefined;

  constructor(errorClass: OutboundErrorClass, message: string, dnsFailure?: DnsFailure) {
    super(message);
    this.errorClass = errorClass;
    this.dnsFailure = dnsFailure;
  }
}

const classByCode: Record<string, OutboundErrorClass> = {
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'invalid_response',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_ABORTED: 'aborted',
};

/** Classifies any failure of an exchange. */
export function classify(error: unknown): OutboundFault {
  if (error instanceof OutboundFault) return error;
  if (error instanceof DnsError) return new OutboundFault('dns_failed', error.message, error.reason);
  if (!(error instanceof Error)) return new OutboundFault('request_failed', 'unknown failure');
  const code = codeOf(error);
  const errorClass = isNoAnswerOfOurs(error) ? 'invalid_response' : (classByCode[code] ?? 'request_failed');
  return new OutboundFault(errorClass, `${code}: ${error.message}`);
}

// Not HTTP at all, or 101 to a request that did not request another protocol; undici reports that as a socket error.
function isNoAnswerOfOurs(error: Error): boolean {
  return error instanceof errors.HTTPParserError || error.message === 'bad upgrade';
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
