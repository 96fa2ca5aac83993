import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { newId } from '@payassent/protocol';
import { openDatabase } from '../../../server/src/db/open.ts';
import { hashSecret } from '../../../server/src/lib/keys.ts';
import { moveRequests } from '../../../server/src/storage/postgres/requests.ts';
import { serveJobs } from '../../stage/load/helper.ts';
import { bareDriver } from '../ground/databases.ts';
import type { BareJob, BareResult } from './jobs.ts';
import { naiveCreate } from './naive-create.ts';

// The reference: the driver alone, in a separate process, with nothing between it and PostgreSQL.
serveJobs<BareJob, BareResult>((job) => {
  if (job.kind === 'post') return post(job);
  return job.kind === 'create' ? create(job) : status(job);
});

async function post(job: Extract<BareJob, { kind: 'post' }>): Promise<BareResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: job.connections });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(job.body),
    'webhook-timestamp': '1700000000',
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  };
  const startMs = performance.now();
  let left = job.count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const sent = request(job.url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'webhook-id': `evt_${left}` },
      });
      sent.end(job.body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
    }
  };
  await Promise.all(Array.from({ length: job.connections }, lane));
  agent.destroy();
  return { count: job.count, ratePerS: (job.count / (performance.now() - startMs)) * 1000 };
}

async function create(job: Extract<BareJob, { kind: 'create' }>): Promise<BareResult> {
  const sql = bareDriver(job.target, job.connections);
  const { send } = naiveCreate(job.form, job.endpoints);
  const startMs = performance.now() + job.warmUpMs;
  const endMs = startMs + job.durationMs;
  let sent = 0;
  let count = 0;
  const lane = async () => {
    for (;;) {
      const caller = job.callers[sent++ % job.callers.length];
      if (!caller) throw new Error('no caller to create for');
      const rows = await send(sql, caller);
      if (rows !== 1) throw new Error('a naive create stored nothing');
      const nowMs = performance.now();
      if (nowMs >= endMs) return;
      if (nowMs >= startMs) count += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: job.connections }, lane));
  } finally {
    await sql.end();
  }
  return { count, ratePerS: (count / job.durationMs) * 1000 };
}

/** As a wallet without a decision key decides. */
const UNSIGNED = {
  before: '{"decision":"approve","decided_at":"2026-11-15T12:00:00.000Z","device_id":"',
  after: '","alg":null,"key_thumbprint":null,"statement":null,"signature":null}',
  key_id: undefined,
};

/** The very statement of the service, sent one by one. */
async function status(job: Extract<BareJob, { kind: 'status' }>): Promise<BareResult> {
  const sql = openDatabase(job.target, { pool: job.connections, name: 'bare' });
  const from = { signed: ['pending'], broadcasted: ['signed'], confirmed: ['broadcasted'] } as const;
  const hashes = new Map<string, string>();
  const warmUp = Math.floor(job.reports.length / 10);
  let next = 0;
  let answered = 0;
  let startMs = 0;
  const lane = async () => {
    for (let report = job.reports[next++]; report; report = job.reports[next++]) {
      const { caller, requestId } = report;
      const tokenHash = hashes.get(caller.deviceToken) ?? hashSecret(caller.deviceToken);
      hashes.set(caller.deviceToken, tokenHash);
      const now = new Date();
      const row = {
        n: 0,
        token_hash: tokenHash,
        device_id: caller.deviceId,
        request_id: requestId,
        connection_id: caller.connectionId,
        status: job.status,
        moves: from[job.status],
        tx_hashes: undefined,
        reason: undefined,
        reason_text: undefined,
        takeover: undefined,
        event_id: newId('evt', now.getTime(), (length) => randomBytes(length)),
        at: now,
        decision: job.status === 'signed' ? UNSIGNED : undefined,
      };
      let [moved] = await moveRequests(sql, [row], 'pass over', []);
      if (moved === 'held') [moved] = await moveRequests(sql, [row], 'wait', []);
      if (typeof moved !== 'object') throw new Error('a bare report moved nothing');
      answered += 1;
      if (answered === warmUp) startMs = performance.now();
    }
  };
  try {
    await Promise.all(Array.from({ length: job.connections }, lane));
    const count = answered - warmUp;
    return { count, ratePerS: (count / (performance.now() - startMs)) * 1000 };
  } finally {
    await sql.end();
  }
}
