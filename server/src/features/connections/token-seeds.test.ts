import { databaseBefore } from '@payassent/proof/database/older-database';
import { outcome } from '@payassent/proof/people/merchants';
import { paymentStage, postRequest } from '@payassent/proof/people/payments';
import { agentToken, deviceOf, useConnection } from '@payassent/proof/people/wallets';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { expect, it } from 'vitest';
import { deriveConnectionToken } from '../callers/connection-token.ts';

/** Every token that database and master key together yield. */
async function derivable({ db, context }: TestService): Promise<string[]> {
  const rows = await db<{ connection_id: string; generation: number; seed: Uint8Array; key_id: string }[]>`
    select connection_id, generation, seed, key_id from connection_tokens where seed is not null`;
  return rows.map((row) =>
    deriveConnectionToken(context.keys, {
      connectionId: row.connection_id,
      generation: row.generation,
      seed: row.seed,
      keyId: row.key_id,
    }),
  );
}

it('database and master key together yield the own token of each agent, and no other', async () => {
  const service = await serviceForTest();
  const stage = await paymentStage(service);
  expect(await derivable(service)).toEqual([stage.connectionToken]);
  expect(outcome(await postRequest(service, stage))).toBe('201 ok');
  expect(await derivable(service)).toEqual([stage.connectionToken]);
  expect(await useConnection(service, stage.connectionToken)).toBe('200 ok');

  const path = `/v1/connections/${stage.connectionId}`;
  const rotate = () => service.call('POST', `${path}/rotate-token`, { device: deviceOf(stage.device) });
  const collect = async () =>
    service.call('POST', `${path}/collect-token`, { bearer: await agentToken(service, stage.agent) });
  await rotate();
  const { connection_token: newest } = (await rotate()).body;
  expect(await derivable(service)).toEqual([newest]);
  expect(await useConnection(service, newest)).toBe('200 ok');
  expect(await derivable(service)).toEqual([]);
  const { connection_token: own } = (await collect()).body;
  expect(await derivable(service)).toEqual([own]);
});

it('an upgrade wipes what used tokens were made from, and leaves what can still be collected', async () => {
  const { db, upgrade } = await databaseBefore('used_token_seeds');
  await db.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
    insert into connection_tokens (token_hash, connection_id, generation, seed, key_id, created_at, first_used_at, ended_at)
    select 'hash ' || n, 'con_' || n, 1, sha256('x'), 'k', now(), used, ended
    from (values (1, now(), null::timestamptz), (2, null::timestamptz, now()), (3, null::timestamptz, null::timestamptz))
      as v(n, used, ended)`;
  });
  await upgrade();
  const rows =
    await db`select token_hash, seed is null as is_wiped from connection_tokens order by token_hash`;
  expect(rows.map((row) => row['is_wiped'])).toEqual([true, true, false]);
});

it('an upgrade counts as own only tokens of connections that their agents made', async () => {
  const { db, upgrade } = await databaseBefore('request_origins');
  await db.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into connections (connection_id, merchant_id, agent_id, wallet_id, status, scopes, created_at, updated_at)
      select 'con_' || n, 'mer', 'agt', 'wlt', 'active', '{}', now(), now() from generate_series(1, 4) n`;
    await tx`
      insert into connection_tokens (token_hash, merchant_id, connection_id, generation, key_id, created_at, first_used_at)
      values ('exchanged', 'mer', 'con_1', 1, 'k', now(), now()), ('rotated', 'mer', 'con_2', 2, 'k', now(), now()),
        ('paired', 'mer', 'con_3', 1, 'k', now(), now()), ('unknown', 'mer', 'con_4', 1, 'k', now(), now())`;
    await tx`
      insert into audit_events (audit_event_id, merchant_id, type, actor_kind, actor_id, target_type, target_id, details,
        request_id, occurred_at)
      select 'aud_' || n, 'mer', 'connection.created', actor, 'x', 'connection', 'con_' || n, '{}', 'r', now()
      from (values (1, 'agent'), (2, 'agent'), (3, 'wallet')) as v(n, actor)`;
  });
  await upgrade();
  const rows = await db`select token_hash from connection_tokens where not is_shared`;
  expect(rows.map((row) => row['token_hash'])).toEqual(['exchanged']);
  await expect(db`update connection_tokens set is_shared = false`).rejects.toThrow();
});
