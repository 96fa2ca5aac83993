import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { runStream } from './event-stream.ts';

const PIECE = 'x'.repeat(64 * 1024);
const PIECES = 4_000;

/** A stream of 256 MB whose reader sends its request and then reads nothing. */
async function toSilentReader(patienceMs?: number) {
  const stopping = new AbortController();
  let written = 0;
  let isOver = false;
  const server = createServer((_, response) => {
    response.writeHead(200);
    const stream = async ({ write }: { write(text: string): Promise<boolean> }) => {
      while (written < PIECES && (await write(PIECE))) written += 1;
    };
    void runStream(response, stream, stopping.signal, patienceMs).then(() => {
      isOver = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const reader: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void reader.destroy());
  reader.pause();
  reader.on('error', () => {});
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return { stopping, server, written: () => written, isOver: () => isOver };
}

const PATIENCE = { timeout: 60_000, interval: 200 };

it('a reader that takes nothing is written to no further, and does not hold the end of the service back', async () => {
  const { stopping, server, written, isOver } = await toSilentReader();
  let seen = -1;
  await expect
    .poll(() => {
      const isSteady = written() > 0 && written() === seen;
      seen = written();
      return isSteady;
    }, PATIENCE)
    .toBe(true);
  expect(written()).toBeLessThan(PIECES);
  stopping.abort();
  await expect.poll(isOver, PATIENCE).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});

it('a reader that takes nothing for too long is cut off', async () => {
  const { server, written, isOver } = await toSilentReader(100);
  await expect.poll(isOver, PATIENCE).toBe(true);
  expect(written()).toBeLessThan(PIECES);
  await new Promise((resolve) => server.close(resolve));
});
