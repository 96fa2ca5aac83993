import { isDistributedRun } from '@payassent/proof/database/layout';
import { type Autonomy, activePolicy, autonomy, pay } from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../src/context.ts';
import { type Database, transaction } from '../src/db/open.ts';
import type { Route } from '../src/http/route.ts';

let service: TestService;
let mine: Autonomy;
let theirs: Autonomy;

beforeAll(async () => {
  service = await startService();
  [mine, theirs] = await Promise.all([fullTenant(), fullTenant()]);
});
afterAll(() => service.close());

/** A merchant with rows in as many tables as the front door makes. */
async function fullTenant(): Promise<Autonomy> {
  const world = await autonomy(service);
  const { session } = world.merchant;
  await activePolicy(service, world);
  await succeed(pay(service, world, '1'));
  const url = 'http://127.0.0.1:9/hook';
  await succeed(service.call('POST', '/v1/webhook-endpoints', { session, body: { url } }));
  return world;
}

/** Runs a piece of code in the place of a route, in a real call with the caller's own credential. */
async function inCall<T>(
  path: string,
  headers: { session?: Autonomy['merchant']['session']; bearer?: string; apiKey?: string },
  work: (context: Context, call: Parameters<Route['run']>[0]) => Promise<T>,
): Promise<T> {
  const route = service.app.routes.find((candidate) => candidate.method === 'GET' && candidate.path === path);
  if (!route) throw new Error(`no route GET ${path}`);
  const { run } = route;
  onTestFinished(() => void Object.assign(route, { run }));
  let outcome: Promise<T> | undefined;
  route.run = (call) => {
    outcome = work(call.context, call);
    return outcome.then(
      () => run(call),
      () => run(call),
    );
  };
  await service.call('GET', path.replace('{id}', 'any'), headers);
  Object.assign(route, { run });
  if (!outcome) throw new Error(`GET ${path} was not run`);
  return outcome;
}

const asMine = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
  inCall('/v1/recipients', { session: mine.merchant.session }, ({ db }) => work(db));

async function tenantTables(): Promise<string[]> {
  const rows = await service.db<{ name: string }[]>`
    select c.oid::regclass::text as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'mirror')
      and a.attname = 'merchant_id'
      -- What merchants cannot read at all.
      and c.relname not in ('log_outbox', 'settlement_claims')
    order by 1`;
  return rows.map(({ name }) => name);
}

describe('a statement without any condition, in a call of one merchant', () => {
  it('reads no row of another merchant, from any table', async () => {
    const tables = await tenantTables();
    expect(tables.length).toBeGreaterThan(15);
    let filled = 0;
    for (const table of tables) {
      const owners = await asMine(
        (db) => db<{ merchant_id: string }[]>`select distinct merchant_id from ${db(table)}`,
      );
      expect(
        owners.every(({ merchant_id }) => merchant_id === mine.merchant.merchantId),
        table,
      ).toBe(true);
      filled += owners.length;
    }
    // Tables that are empty prove nothing.
    expect(filled).toBeGreaterThan(12);
  });

  it('reads no token, counter or context of another merchant’s connections', async () => {
    for (const table of ['connection_tokens', 'connection_heads']) {
      const rows = await asMine(
        (db) => db<{ connection_id: string }[]>`select connection_id from ${db(table)}`,
      );
      expect(rows, table).toEqual([{ connection_id: mine.connectionId }]);
    }
  });

  it('neither does one of its agents, admin sessions or API keys', async () => {
    const callers = [
      ['/v1/agent-payments', { apiKey: mine.apiKey }],
      ['/v1/agent-payments', { bearer: mine.admin }],
    ] as const;
    for (const [path, headers] of callers) {
      const rows = await inCall(
        path,
        headers,
        ({ db }) => db`select distinct merchant_id from agent_payments`,
      );
      expect(rows).toEqual([{ merchant_id: mine.merchant.merchantId }]);
    }
  });

  it('neither does a route that checks its credential itself, once the check has passed', async () => {
    const { session } = mine.merchant;
    const rows = await inCall('/v1/payment-requests/{id}', { session }, async (_context, call) => {
      await call.authenticate();
      return call.context.db`select distinct merchant_id from agent_payments`;
    });
    expect(rows).toEqual([{ merchant_id: mine.merchant.merchantId }]);
  });

  it('changes and deletes nothing of another merchant', async () => {
    const before =
      await service.db`select * from recipients where merchant_id = ${theirs.merchant.merchantId}`;
    await asMine(async (db) => {
      await db`update recipients set name = 'changed'`;
      await db`update webhook_endpoints set url = 'http://127.0.0.1:9/stolen'`;
      await db`delete from api_keys where merchant_id = ${theirs.merchant.merchantId}`;
    });
    expect(
      await service.db`select * from recipients where merchant_id = ${theirs.merchant.merchantId}`,
    ).toEqual(before);
    const stolen = await service.db`
      select from webhook_endpoints where merchant_id = ${theirs.merchant.merchantId} and url like '%stolen'`;
    expect(stolen).toHaveLength(0);
    expect((await service.call('GET', '/v1/agent-payments', { apiKey: theirs.apiKey })).status).toBe(200);
  });

  it('adds nothing to another merchant’s connections and agents under its own name', async () => {
    const { merchantId } = mine.merchant;
    const { connectionId } = theirs;
    const { agentId } = theirs.agent;
    const forgeries: ((db: Database) => Promise<unknown>)[] = [
      (
        db,
      ) => db`insert into connection_tokens (token_hash, merchant_id, connection_id, generation, key_id, created_at, ended_at)
        values ('forged', ${merchantId}, ${connectionId}, 99, 'k', now(), now())`,
      (
        db,
      ) => db`insert into agent_tokens (token_hash, merchant_id, agent_id, credential_id, created_at, expires_at)
        values ('forged', ${merchantId}, ${agentId}, 'crd_x', now(), now())`,
    ];
    // On a distributed database the merchant is part of their keys: the rows would be about no one's connection.
    const ofOneMachine: typeof forgeries = [
      (
        db,
      ) => db`insert into transaction_contexts (merchant_id, connection_id, transaction_id, revision, content, created_at)
        values (${merchantId}, ${connectionId}, 'txn_forged', 1, '{}', now())`,
      (
        db,
      ) => db`insert into connection_heads (merchant_id, connection_id) values (${merchantId}, ${connectionId})
        on conflict (connection_id) do update set last_sequence = 99`,
      (
        db,
      ) => db`insert into agent_payment_heads (merchant_id, connection_id) values (${merchantId}, ${connectionId})
        on conflict (connection_id) do update set last_sequence = 99`,
    ];
    if (!isDistributedRun) forgeries.push(...ofOneMachine);
    for (const forge of forgeries) await expect(asMine(forge)).rejects.toThrow('row-level security');
  });

  it('inserts nothing for another merchant, and gives nothing away', async () => {
    const insert = asMine(
      (db) => db`insert into agents
        (agent_id, merchant_id, name, runtime, environment, allowed_scopes, status, created_at, updated_at)
        values ('agt_forged', ${theirs.merchant.merchantId}, 'x', 'x', 'x', '{}', 'pending', now(), now())`,
    );
    await expect(insert).rejects.toThrow('row-level security');
    const forged = asMine(
      (
        db,
      ) => db`insert into connection_tokens (token_hash, connection_id, generation, key_id, created_at, first_used_at)
        values ('forged', ${theirs.connectionId}, 99, 'k', now(), now())`,
    );
    await expect(forged).rejects.toThrow('row-level security');
    const give = asMine((db) => db`update api_keys set merchant_id = ${theirs.merchant.merchantId}`);
    await expect(give).rejects.toThrow('row-level security');
  });

  it('sees no more in a transaction, after a change of the setting, or under a forged seal', async () => {
    const { merchantId } = theirs.merchant;
    const seen = await asMine((db) =>
      transaction(db, async (tx) => {
        const counts: number[] = [];
        const count = async () =>
          counts.push((await tx`select from recipients where merchant_id = ${merchantId}`).length);
        await count();
        for (const forged of [merchantId, `${merchantId} ${'0'.repeat(64)}`, '*', '']) {
          await tx`select set_config('svc.tenant', ${forged}, true)`;
          await count();
        }
        await tx`reset all`;
        await count();
        return counts;
      }),
    );
    expect(seen).toEqual([0, 0, 0, 0, 0, 0]);
    const seal = asMine((db) => db`select key from tenant_seal`);
    await expect(seal).rejects.toThrow('permission denied');
  });

  it('leaves its connection bound to no one', async () => {
    const bound = service.context.database.of(mine.merchant.merchantId);
    expect(await bound`select from recipients`).not.toHaveLength(0);
    expect(
      (await bound`select * from recipients`).every((row) => row['merchant_id'] === mine.merchant.merchantId),
    ).toBe(true);
    const other = service.context.database.of('mer_nobody');
    expect(await other`select from recipients`).toHaveLength(0);
  });
});

it('a wallet, which deals with many merchants, is not bound to one', async () => {
  const { db } = await inCall(
    '/v1/connections',
    { bearer: deviceOf(mine.device).token },
    async (context) => context,
  );
  const owners = await db`select distinct merchant_id from connections`;
  expect(owners.length).toBeGreaterThan(1);
});

it('the calls that cross tenants are these and no others', () => {
  const crossing = service.app.routes.filter((route) => route.crossesTenants !== undefined);
  expect(crossing.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'DELETE /v1/merchant-passkeys/{id}',
    'DELETE /v1/merchant-sessions',
    'GET /v1/merchant-passkeys',
    'POST /v1/merchant-domains/{id}/verify',
    'POST /v1/merchant-passkeys',
    'POST /v1/merchant-passkeys/registration-options',
    'POST /v1/merchant-passkeys/step-up',
    'POST /v1/merchant-passkeys/step-up-options',
    'POST /v1/merchant-passkeys/{id}/confirm',
  ]);
});
