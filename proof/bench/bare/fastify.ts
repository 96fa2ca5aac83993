import Fastify from 'fastify';
import { openDatabase } from '../../../server/src/db/open.ts';
import { serveJobs } from '../../stage/load/helper.ts';
import type { BareRoute } from './jobs.ts';

/** As many connections as the service has by default. */
const POOL = 10;

const SELECTS = {
  read: {
    keys: 'select merchant_id, request_id, connection_id from payment_requests limit 50000',
    row: 'select * from payment_requests where merchant_id = $1 and request_id = $2 and connection_id = $3',
  },
  poll: {
    keys: 'select connection_id, max(sequence) from payment_request_events group by connection_id',
    row: 'select * from payment_request_events where connection_id = $1 and sequence = $2',
  },
} as const;

/**
 * The reference of a read: the framework alone, which returns the same bytes as the service. From memory, or after one
 * prepared select of a stored row by its primary key, with the driver of the service.
 */
serveJobs<BareRoute, { port: number }>(async ({ body, selects }) => {
  const look = selects ? await rowsInTurn(selects) : undefined;
  const app = Fastify({ logger: false });
  app.get('/*', async (_request, reply) => {
    if (look) await look();
    return reply.type('application/json; charset=utf-8').send(body);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: Number(new URL(address).port) };
});

async function rowsInTurn({ target, what }: NonNullable<BareRoute['selects']>): Promise<() => Promise<void>> {
  const sql = openDatabase(target, { pool: POOL, name: 'bare' });
  const { keys, row } = SELECTS[what];
  const names = (await sql.unsafe(keys)).map((key) => Object.values(key));
  let next = 0;
  return async () => {
    const rows = await sql.unsafe(row, names[next++ % names.length] ?? [], { prepare: true });
    if (rows.length !== 1) throw new Error('a bare select found no row');
  };
}
