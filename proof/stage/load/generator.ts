/*
 * Load in separate processes, over bare sockets, so that it uses few of the resources that it measures: closed and open
 * loops here, long polls in another file. Bench and drills import it. Every response is checked, and every rejected
 * call is reported.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { startArrivals } from './arrivals.ts';
import { serveJobs } from './helper.ts';
import { AMOUNT, KEY, type Latency, type LoadJob, type LoadResult, type Source } from './jobs.ts';
import { type Line, openLine } from './sockets.ts';

// A separate process: the load generator must not share a thread with the process under load.
serveJobs<LoadJob, LoadResult>(generate);

interface Tally {
  latenciesMs: number[];
  startedMs: number;
  lastMs: number;
  refused: number;
  firstRefusal: string | undefined;
}

async function generate(job: LoadJob): Promise<LoadResult> {
  const next = requestsOf(job.source);
  const tally: Tally = { latenciesMs: [], startedMs: 0, lastMs: 0, refused: 0, firstRefusal: undefined };
  const run =
    job.arrival.kind === 'closed'
      ? runClosed(job, job.arrival, next, tally)
      : runOpen(job, job.arrival, next, tally);
  await run;
  const seconds = (tally.lastMs - tally.startedMs) / 1000;
  const count = tally.latenciesMs.length;
  return {
    count,
    seconds,
    ratePerS: count / seconds,
    refused: tally.refused,
    firstRefusal: tally.firstRefusal,
    latency: latencyOf(tally.latenciesMs),
  };
}

function requestsOf(source: Source): () => string | undefined {
  const { requests } = source;
  let index = 0;
  if (source.kind === 'once') return () => requests[index++];
  if (source.kind === 'cycle') return () => requests[index++ % requests.length];
  return () => {
    const key = `${source.run}-${String(index)}`.padEnd(KEY.length, '.');
    return requests[index++ % requests.length]?.replace(KEY, key).replace(AMOUNT, anyAmount);
  };
}

function anyAmount(): string {
  return (1_000 + Math.random() * 8_999).toFixed(2);
}

function note(tally: Tally, status: number, text: () => string, sentMs: number, nowMs: number): void {
  if (status < 200 || status > 299) {
    tally.refused += 1;
    tally.firstRefusal ??= text();
  }
  if (tally.startedMs === 0 || nowMs < tally.startedMs) return;
  tally.latenciesMs.push(nowMs - sentMs);
  tally.lastMs = nowMs;
}

/** A fixed number of callers. A source that runs dry ends the stretch early. */
async function runClosed(
  job: LoadJob,
  arrival: { inFlight: number },
  next: () => string | undefined,
  tally: Tally,
): Promise<void> {
  const sentAt = new Map<Line, number>();
  const lines: Line[] = [];
  const total = job.source.kind === 'once' ? job.source.requests.length : Infinity;
  const warmUpCount = total * (job.warmUpMs / (job.warmUpMs + job.durationMs));
  await new Promise<void>((resolve, reject) => {
    let isOver = false;
    let underWay = 0;
    let answered = 0;
    const launch = (line: Line) => {
      const request = isOver ? undefined : next();
      if (request === undefined) {
        if (underWay === 0) resolve();
        return;
      }
      underWay += 1;
      sentAt.set(line, performance.now());
      line.send(request);
    };
    const events = {
      answered(line: Line, status: number, text: () => string) {
        const nowMs = performance.now();
        underWay -= 1;
        answered += 1;
        if (!isOver) note(tally, status, text, sentAt.get(line) ?? nowMs, nowMs);
        if (tally.startedMs === 0 && answered >= warmUpCount) tally.startedMs = nowMs;
        launch(line);
      },
      failed: reject,
    };
    // On a busy machine a service may still be compiling when its warm-up is over; everybody has to be served once.
    const startClock = () => {
      if (answered < arrival.inFlight) return void setTimeout(startClock, 50);
      tally.startedMs = performance.now();
      setTimeout(() => {
        isOver = true;
        tally.lastMs = performance.now();
      }, job.durationMs);
    };
    const begin = async () => {
      for (let index = 0; index < arrival.inFlight; index += 1) lines.push(await openLine(job.port, events));
      if (total === Infinity) setTimeout(startClock, job.warmUpMs);
      for (const line of lines) launch(line);
    };
    begin().catch(reject);
  }).finally(() => {
    for (const line of lines) line.close();
  });
}

/** Arrivals by the clock. */
async function runOpen(
  job: LoadJob,
  arrival: { ratePerS: number; sockets: number },
  next: () => string | undefined,
  tally: Tally,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const measure = async () => {
      const arrivals = await startArrivals({ port: job.port, ...arrival }, next, {
        answered: ({ status, text, dueMs }) => note(tally, status, text, dueMs, performance.now()),
        failed: reject,
      });
      await pause(job.warmUpMs);
      tally.startedMs = performance.now();
      await pause(job.durationMs);
      await arrivals.stop();
    };
    measure().then(resolve, reject);
  });
}

function latencyOf(latenciesMs: readonly number[]): Latency {
  const sorted = Float64Array.from(latenciesMs).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99), p999Ms: at(0.999), maxMs: at(1) };
}
