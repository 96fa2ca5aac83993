import type { DnsFailure } from '../dns.ts';
import type { OutboundErrorClass } from './fault.ts';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the call to the last byte of the answer that is read, waiting for a connection included. */
  deadlineMs: number;
  /** The rest of a longer answer is not read; its connection is closed. */
  maxBodyBytes: number;
  /** Looks the name up and connects for this request alone: what an earlier look-up found does not count. */
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
      /** For `dns_failed`: whether the name servers said that there is no address, or could not say. */
      dnsFailure?: DnsFailure;
    };

export interface Outbound {
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResult>;
  close(): Promise<void>;
}
