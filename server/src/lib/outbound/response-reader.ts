import { OutboundFault } from './fault.ts';

/** Of all heads and trailers of one response together. */
const MAX_HEAD_BYTES = 16_384;
const MAX_CHUNK_LINE_BYTES = 1_024;
/** How long a connection may wait for its next request, unless the receiver names another time. */
const KEEP_ALIVE_MS = 4_000;
const MAX_KEEP_ALIVE_MS = 10_000;
/** A connection is left so long before the receiver would close it: a request must not meet the end. */
const KEEP_ALIVE_MARGIN_MS = 2_000;

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const START = 'HTTP/1.';
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const CHUNK_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
const BARE_LINE_END = /(?:^|[^\r])\n/;

const NOTHING = Buffer.alloc(0);
const MORE = -1;

type Phase = 'head' | 'length' | 'until close' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'done';

/**
 * Reads one response of HTTP/1.1 (RFC 9112) as its bytes arrive, and no more of its body than is wanted. Where the
 * standard leaves a choice between guessing and refusing, it refuses.
 */
export class ResponseReader {
  status = 0;
  /** Names in lower case; what comes several times is joined. */
  headers: Record<string, string> = {};
  /** The body was longer than wanted. */
  isTruncated = false;
  /** How long the connection may wait for another request; 0: it must not carry one. */
  keepAliveMs = 0;

  readonly #maxBodyBytes: number;
  #phase: Phase = 'head';
  /** Bytes of a head or a line that is not complete yet. */
  #kept: Buffer = NOTHING;
  #headBytes = 0;
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0;
  readonly #chunks: Buffer[] = [];
  #received = 0;

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Takes what came; true when the response is over, or as much of it as is wanted. */
  push(arrived: Buffer): boolean {
    let rest = this.#kept.length === 0 ? arrived : Buffer.concat([this.#kept, arrived]);
    this.#kept = NOTHING;
    while (this.#phase !== 'done') {
      const taken = this.#step(rest);
      if (taken === MORE) {
        this.#kept = rest;
        return false;
      }
      if (taken > 0) rest = rest.subarray(taken);
    }
    // Nobody asked for more: whatever it is, the next request must not take it for its response.
    if (rest.length > 0) this.keepAliveMs = 0;
    return true;
  }

  /** The receiver has closed its side; true when this is how the response ends. */
  close(): boolean {
    return this.#phase === 'until close' || this.#phase === 'done';
  }

  body(): Buffer {
    const length = Math.min(this.#received, this.#maxBodyBytes);
    return length === 0 ? NOTHING : Buffer.concat(this.#chunks, length);
  }

  /** How many bytes were used up. */
  #step(rest: Buffer): number {
    switch (this.#phase) {
      case 'head':
        return this.#readHead(rest);
      case 'length':
        return this.#readData(rest, 'done');
      case 'chunk':
        return this.#readData(rest, 'chunk end');
      case 'chunk size':
        return this.#readChunkLine(rest);
      case 'chunk end':
        return this.#readChunkEnd(rest);
      case 'trailer':
        return this.#readTrailer(rest);
      case 'until close':
        if (rest.length === 0) return MORE;
        this.#take(rest);
        return rest.length;
      case 'done':
        return 0;
    }
  }

  #readHead(rest: Buffer): number {
    const text = rest.toString('latin1', 0, Math.min(rest.length, MAX_HEAD_BYTES));
    if (!text.startsWith(START.slice(0, text.length))) throw invalid('no HTTP/1 response');
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.#headBytes + rest.length >= MAX_HEAD_BYTES) throw invalid('too many header bytes');
      if (BARE_LINE_END.test(text)) throw invalid('a line without CR');
      return MORE;
    }
    this.#countHead(end + 4);
    const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
    const match = STATUS_LINE.exec(statusLine);
    if (!match) throw invalid('a malformed status line');
    this.status = Number(match[2]);
    this.headers = headersIn(lines);
    if (this.status === 101) throw invalid('another protocol that nobody asked for');
    // Informational ones come before the response itself.
    if (this.status < 100 || this.status > 199) this.#frame(match[1] === '0');
    return end + 4;
  }

  /** Where the body ends, and whether the connection lives on (RFC 9112, sections 6.3 and 9.3). */
  #frame(isOld: boolean): void {
    const {
      'transfer-encoding': coding,
      'content-length': length,
      connection = '',
      'keep-alive': keepAlive,
    } = this.headers;
    const isKept = isOld ? hasToken(connection, 'keep-alive') : !hasToken(connection, 'close');
    if (isKept) this.keepAliveMs = keepAliveMsOf(keepAlive);
    if (coding !== undefined && (length !== undefined || isOld)) throw invalid('two ways to end');
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw invalid('a malformed length');
    if (this.status === 204 || this.status === 304) this.#phase = 'done';
    else if (coding !== undefined && /(?:^|,)[ \t]*chunked$/i.test(coding)) this.#phase = 'chunk size';
    else if (coding === undefined && length !== undefined) {
      this.#left = Number(length);
      this.#phase = this.#left === 0 ? 'done' : 'length';
    } else {
      this.keepAliveMs = 0;
      this.#phase = 'until close';
    }
  }

  #readData(rest: Buffer, next: Phase): number {
    if (rest.length === 0) return MORE;
    const count = Math.min(rest.length, this.#left);
    this.#left -= count;
    if (this.#left === 0) this.#phase = next;
    this.#take(rest.subarray(0, count));
    return count;
  }

  #readChunkLine(rest: Buffer): number {
    const line = lineIn(rest);
    if (line === undefined) return MORE;
    const size = CHUNK_LINE.exec(line)?.[1];
    if (size === undefined) throw invalid('a malformed chunk');
    this.#left = Number.parseInt(size, 16);
    this.#phase = this.#left === 0 ? 'trailer' : 'chunk';
    return line.length + 2;
  }

  #readChunkEnd(rest: Buffer): number {
    if (rest.length < 2) return MORE;
    if (rest[0] !== 13 || rest[1] !== 10) throw invalid('a chunk longer than it said');
    this.#phase = 'chunk size';
    return 2;
  }

  /** Fields behind the body are looked at for their form alone. */
  #readTrailer(rest: Buffer): number {
    const line = lineIn(rest);
    if (line === undefined) return MORE;
    this.#countHead(line.length + 2);
    if (line === '') this.#phase = 'done';
    else headersIn([line]);
    return line.length + 2;
  }

  #take(bytes: Buffer): void {
    this.#received += bytes.length;
    this.#chunks.push(bytes);
    if (this.#received <= this.#maxBodyBytes) return;
    this.isTruncated = true;
    this.keepAliveMs = 0;
    this.#phase = 'done';
  }

  #countHead(bytes: number): void {
    this.#headBytes += bytes;
    if (this.#headBytes > MAX_HEAD_BYTES) throw invalid('too many header bytes');
  }
}

/** The line at the start, without its end; undefined when it is not complete. */
function lineIn(rest: Buffer): string | undefined {
  const text = rest.toString('latin1', 0, Math.min(rest.length, MAX_CHUNK_LINE_BYTES));
  const end = text.indexOf('\r\n');
  if (end >= 0) return text.slice(0, end);
  if (rest.length >= MAX_CHUNK_LINE_BYTES) throw invalid('too long a line');
  if (BARE_LINE_END.test(text)) throw invalid('a line without CR');
  return undefined;
}

function headersIn(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  let last: string | undefined;
  for (const line of lines) {
    if (!VALUE.test(line)) throw invalid('a control character in a header');
    // A folded line belongs to the one before it.
    if (last !== undefined && (line.startsWith(' ') || line.startsWith('\t'))) {
      headers[last] = `${headers[last]} ${trimmed(line)}`;
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!NAME.test(name)) throw invalid('a malformed header');
    const value = trimmed(line.slice(colon + 1));
    const former = headers[name];
    headers[name] = former === undefined ? value : `${former}, ${value}`;
    last = name;
  }
  return headers;
}

// Not `trim`: that takes more for white space than HTTP does.
function trimmed(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}

function hasToken(list: string, token: string): boolean {
  return list !== '' && list.split(',').some((entry) => trimmed(entry).toLowerCase() === token);
}

function keepAliveMsOf(header: string | undefined): number {
  const seconds = header === undefined ? undefined : /(?:^|[\s,])timeout=(\d{1,9})/i.exec(header)?.[1];
  if (seconds === undefined) return KEEP_ALIVE_MS;
  return Math.max(0, Math.min(Number(seconds) * 1000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS));
}

function invalid(what: string): OutboundFault {
  return new OutboundFault('invalid_response', `the response has ${what}`);
}
