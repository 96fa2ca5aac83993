import { connect, type Socket } from 'node:net';
import { serveJobs } from './helper.ts';

export type WaitingJob =
  | { kind: 'open'; port: number; requests: readonly string[] }
  /** Waits until the next `count` of them have a response, counted from this message. */
  | { kind: 'await responses'; count: number }
  | { kind: 'close' };

export interface WaitingResult {
  waiting: number;
  /** When each response came, by this machine's clock. */
  answeredAtMs: number[];
}

// Long polls, opened and held: each a connection with one call that the service keeps waiting.
const sockets = new Set<Socket>();
let answers: number[] = [];
let onAnswer: (() => void) | undefined;

serveJobs<WaitingJob, WaitingResult>(async (job) => {
  if (job.kind === 'open') await openAll(job.port, job.requests);
  if (job.kind === 'await responses') await untilAnswered(job.count);
  if (job.kind === 'close') {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
  const answeredAtMs = answers;
  answers = [];
  return { waiting: sockets.size, answeredAtMs };
});

async function openAll(port: number, requests: readonly string[]): Promise<void> {
  for (const request of requests) {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket)).on('close', () => sockets.delete(socket));
    socket.on('data', () => {
      answers.push(Date.now());
      onAnswer?.();
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    socket.write(request);
  }
}

function untilAnswered(count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${answers.length} of ${count} polls got a response`)),
      30_000,
    );
    onAnswer = () => {
      if (answers.length < count) return;
      clearTimeout(timer);
      onAnswer = undefined;
      resolve();
    };
    onAnswer();
  });
}
