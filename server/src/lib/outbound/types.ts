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
  | { ok: false; errorClass: OutboundErrorClass; message: string; durationMs: number };

export interface Outbound {
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResult>;
  close(): Promise<void>;
}
