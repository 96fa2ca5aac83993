import type { Wire } from './connection.ts';
import { OutboundFault } from './fault.ts';
import type { OutboundRequest } from './types.ts';

// These decide where a request goes or where it ends; only the URL and the body may.
const RESERVED = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect']);
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NONE: Record<string, string> = {};
const VALUE = /^[\t\x20-\x7e]*$/;

/** The text of a request. A header that cannot be sent is a fault; one that would decide where it ends is a mistake in our code. */
export function wireOf(host: string, path: string, request: OutboundRequest): Wire | OutboundFault {
  let head = `${request.method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\naccept-encoding: identity\r\n`;
  const { headers = NONE } = request;
  for (const name in headers) {
    if (RESERVED.has(name.toLowerCase())) throw new TypeError(`header ${name} cannot be set`);
    const value = headers[name] ?? '';
    if (!NAME.test(name) || !VALUE.test(value)) {
      return new OutboundFault('request_failed', `header ${JSON.stringify(name)} cannot be sent`);
    }
    head += `${name}: ${value}\r\n`;
  }
  const { body = '' } = request;
  if (request.body !== undefined || request.method === 'POST') {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    head += `content-length: ${length}\r\n`;
  }
  return { head: `${head}\r\n`, body };
}
