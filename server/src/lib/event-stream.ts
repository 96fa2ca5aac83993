/** The destination of a stream. */
export interface Sink {
  /** Settles once the reader can accept more; false when it is gone or reads nothing for too long. */
  write(text: string): Promise<boolean>;
  /** Aborted when the reader is gone. */
  gone: AbortSignal;
}

/** Writes until its end; an error ends it too. */
export type Stream = (sink: Sink) => Promise<void>;

/** One message of a `text/event-stream`; JSON never contains a line end. */
export function streamed(event: string, id: number, json: string): string {
  return `event: ${event}\nid: ${id}\ndata: ${json}\n\n`;
}
