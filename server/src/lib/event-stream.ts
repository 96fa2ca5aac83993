/** Where a stream is written to. */
export interface Sink {
  /** Settles once the reader may be sent more; false when it is gone or takes nothing for too long. */
  write(text: string): Promise<boolean>;
  /** Aborted when the reader is gone. */
  gone: AbortSignal;
}

/** Writes until its end; what it throws ends it too. */
export type Stream = (sink: Sink) => Promise<void>;

/** One message of a `text/event-stream`; JSON never contains a line end. */
export function streamed(event: string, id: number, json: string): string {
  return `event: ${event}\nid: ${id}\ndata: ${json}\n\n`;
}
