import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveJobs } from '../../stage/load/helper.ts';
import type { ReceiverJob, ReceiverStats } from './jobs.ts';

// A webhook receiver in a separate process: returns 200, and reports how many requests arrived in which period.
let stats = { count: 0, firstMs: 0, lastMs: 0 };

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    stats.count += 1;
    stats.lastMs = performance.timeOrigin + performance.now();
    stats.firstMs ||= stats.lastMs;
    response.end();
  });
}).listen(0, '127.0.0.1');

serveJobs<ReceiverJob, ReceiverStats>(async (job) => {
  if (job === 'reset') stats = { count: 0, firstMs: 0, lastMs: 0 };
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return { ...stats, port: (server.address() as AddressInfo).port };
});
