import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { OutboundFault } from './fault.ts';
import { ResponseReader } from './response-reader.ts';

interface Read {
  status: number;
  body: string;
  isOver: boolean;
  isReusable: boolean;
  headers: Record<string, string>;
}

const LIMIT = 64;

/** Reads in the pieces given. */
function readPieces(pieces: readonly string[]): Read | string {
  const reader = new ResponseReader(LIMIT);
  let isOver = false;
  try {
    for (const piece of pieces) {
      if (isOver) break;
      isOver = reader.push(Buffer.from(piece, 'latin1'));
    }
  } catch (error) {
    if (error instanceof OutboundFault) return error.errorClass;
    throw error;
  }
  isOver ||= reader.close();
  const { status, headers, keepAliveMs } = reader;
  return {
    status,
    body: reader.body().toString('latin1'),
    isOver,
    isReusable: keepAliveMs > 0,
    headers: { ...headers },
  };
}

const read = (text: string) => readPieces([text]);

const GOOD: [string, string, Partial<Read>][] = [
  ['with a length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', { body: 'ok', isReusable: true }],
  ['with nothing in it', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', { body: '', isReusable: true }],
  ['without a reason', 'HTTP/1.1 404\r\ncontent-length: 0\r\n\r\n', { status: 404 }],
  ['without content', 'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n', { status: 204, isReusable: true }],
  ['not modified', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n', { status: 304, body: '' }],
  [
    'in chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\nA;x="y"\r\n0123456789\r\n0\r\nt: u\r\n\r\n',
    { body: 'abc0123456789', isReusable: true },
  ],
  ['until it closes', 'HTTP/1.1 200 OK\r\n\r\nrest', { body: 'rest', isReusable: false }],
  [
    'that closes',
    'HTTP/1.1 200 OK\r\nconnection: x, Close\r\ncontent-length: 1\r\n\r\na',
    { body: 'a', isReusable: false },
  ],
  ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\na', { body: 'a', isReusable: false }],
  [
    'of HTTP/1.0 that stays',
    'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\na',
    { body: 'a', isReusable: true },
  ],
  [
    'behind others',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 202 A\r\ncontent-length: 1\r\n\r\na',
    { status: 202, headers: { 'content-length': '1' } },
  ],
  [
    'with odd headers',
    'HTTP/1.1 200 OK\r\nA:1\r\na: \t2 \r\nb:\r\nc: one\r\n  two\r\ncontent-length: 0\r\n\r\n',
    { headers: { a: '1, 2', b: '', c: 'one two', 'content-length': '0' } },
  ],
  [
    'from a receiver that soon closes',
    'HTTP/1.1 200 OK\r\nkeep-alive: timeout=2\r\ncontent-length: 0\r\n\r\n',
    { isReusable: false },
  ],
];

const BAD: [string, string][] = [
  ['no HTTP', 'SSH-2.0-x\r\n\r\n'],
  ['HTTP/2', 'HTTP/2 200\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['bare line ends', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n'],
  ['a bare line end in a header', 'HTTP/1.1 200 OK\r\na: b\nc: d\r\n\r\n'],
  ['a bare CR', 'HTTP/1.1 200 OK\r\na: b\rc\r\n\r\n'],
  ['a NUL', 'HTTP/1.1 200 OK\r\na: \0\r\n\r\n'],
  ['a header without a name', 'HTTP/1.1 200 OK\r\n: b\r\n\r\n'],
  ['a header without a colon', 'HTTP/1.1 200 OK\r\nab\r\n\r\n'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\ncontent-length : 1\r\n\r\na'],
  ['a fold at the start', 'HTTP/1.1 200 OK\r\n a: b\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\na'],
  ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
  ['a length with a sign', 'HTTP/1.1 200 OK\r\ncontent-length: +1\r\n\r\na'],
  ['a length in other white space', 'HTTP/1.1 200 OK\r\ncontent-length: 1\xa0\r\n\r\na'],
  ['no length', 'HTTP/1.1 200 OK\r\ncontent-length:\r\n\r\n'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\n'],
  ['a chunk size with a sign', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n'],
  ['a chunk size in 0x', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n'],
  ['an enormous chunk size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n100000000\r\n'],
  [
    'a chunk longer than its size',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n',
  ],
  ['a malformed trailer', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nno colon\r\n\r\n'],
  [
    'a chunk line without an end',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(2_000)}`,
  ],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
  ['too many headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(3_000)}\r\n`],
  ['too many informational ones', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)],
  [
    'too many trailers',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(3_000)}\r\n`,
  ],
];

describe('a response', () => {
  it.each(GOOD)('%s is read', (_what, text, expected) => {
    expect(read(text)).toMatchObject({ status: 200, isOver: true, ...expected });
  });

  it.each(GOOD)('%s is the same in whatever pieces it comes', (_what, text) => {
    const whole = read(text);
    for (let at = 1; at < text.length; at += 1)
      expect(readPieces([text.slice(0, at), text.slice(at)]), `cut at ${at}`).toEqual(whole);
    expect(readPieces([...text])).toEqual(whole);
  });

  it.each(GOOD.filter(([, , { isReusable }]) => isReusable))(
    '%s ends where it ends, and what comes behind it closes the connection',
    (_what, text) => {
      expect(read(`${text}HTTP/1.1 200 OK\r\n`)).toMatchObject({ isOver: true, isReusable: false });
    },
  );

  it.each(GOOD.filter(([what]) => what !== 'until it closes'))(
    '%s is not over before its end',
    (_what, text) => {
      for (let at = 0; at < text.length; at += 1) {
        const cut = read(text.slice(0, at));
        expect(typeof cut === 'object' && cut.isOver, `cut at ${at}`).toBe(false);
      }
    },
  );

  it.each(BAD)('with %s is refused, in whatever pieces it comes', (_what, text) => {
    expect(read(text)).toBe('invalid_response');
    expect(readPieces([...text])).toBe('invalid_response');
  });

  it('is kept up to the limit, however it is framed, and its connection not used again beyond', () => {
    const long = 'x'.repeat(LIMIT + 1);
    for (const text of [
      `HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${long}`,
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${long.length.toString(16)}\r\n${long}\r\n`,
      `HTTP/1.1 200 OK\r\n\r\n${long}`,
    ])
      expect(read(text)).toMatchObject({ body: 'x'.repeat(LIMIT), isOver: true, isReusable: false });
  });
});

it('a header may have the name of anything', () => {
  const read_ = read('HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\ncontent-length: 0\r\n\r\n');
  expect(read_).toMatchObject({ status: 200, isReusable: true });
  expect(typeof read_ === 'object' && read_.headers['constructor']).toBe('b');
});

it('what a server of another maker writes is read as it was meant', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/chunks') {
      response.write('one ');
      response.end('two');
    } else response.end('one two');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  for (const path of ['/chunks', '/length']) {
    const reader = new ResponseReader(LIMIT);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').on('error', reject);
      socket.on('data', (bytes) => {
        if (!reader.push(bytes)) return;
        socket.destroy();
        resolve();
      });
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    });
    expect([reader.status, reader.body().toString(), reader.keepAliveMs]).toEqual([200, 'one two', 3_000]);
  }
  await new Promise((resolve) => server.close(resolve));
});
