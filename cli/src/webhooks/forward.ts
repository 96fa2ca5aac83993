import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Headers that belong to one connection, not to the message (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
]);

export interface Forwarded {
  status: number;
  headers: readonly string[];
  body: Buffer;
}

const LONGEST_ANSWER_BYTES = 64 * 1024;

/** Header names and values in turn, as they came, without what belongs to the connection. */
function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2);
    if (!HOP_BY_HOP.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/**
 * Sends the very bytes with their own headers on. `fetch` would add and rewrite some, and what is behind should see
 * what the service sent.
 */
export function forward(
  target: URL,
  message: { method: string; rawHeaders: readonly string[]; body: Buffer },
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<Forwarded> {
  const { method, rawHeaders, body } = message;
  const headers = [...endToEnd(rawHeaders), 'Host', target.host, 'Content-Length', String(body.length)];
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const { signal, timeoutMs } = options;
  return new Promise<Forwarded>((resolve, reject) => {
    const outgoing = send(target, { method, headers, signal, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= LONGEST_ANSWER_BYTES) chunks.push(chunk);
      });
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 502,
          headers: endToEnd(answer.rawHeaders),
          body: Buffer.concat(chunks),
        }),
      );
      answer.on('error', reject);
    });
    const late = Object.assign(new Error('The target is too slow'), { code: 'ETIMEDOUT' });
    const deadline = setTimeout(() => outgoing.destroy(late), timeoutMs);
    outgoing.on('close', () => clearTimeout(deadline));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
