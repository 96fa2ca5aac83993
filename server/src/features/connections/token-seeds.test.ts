import { outcome } from '@payassent/test-kit/merchants';
import { databaseBefore } from '@payassent/test-kit/older-database';
import { paymentStage, postRequest } from '@payassent/test-kit/payments';
import { serviceForTest, type TestService } from '@payassent/test-kit/service';
import { agentToken, deviceOf, useConnection } from '@payassent/test-kit/wallets';
import { expect, it } from 'vitest';
import { deriveConnectionToken } from '../callers/connection-token.ts';

/** Every token that database and master key yield together. */
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

it('database and master key together yield no connection token that has been used or replaced', async () => {
  const service = await serviceForTest();
  const stage = await paymentStage(service);
  expect(await derivable(service)).toEqual([stage.connectionToken]);
  expect(outcome(await postRequest(service, stage))).toBe('201 ok');
  expect(await derivable(service)).toEqual([]);
  expect(await useConnection(service, stage.connectionToken)).toBe('200 ok');

  const path = `/v1/connections/${stage.connectionId}`;
  const rotate = () => service.call('POST', `${path}/rotate-token`, { device: deviceOf(stage.device) });
  const collect = async () =>
    service.call('POST', `${path}/collect-token`, { bearer: await agentToken(service, stage.agent) });
  await rotate();
  const { connection_token: newest } = (await rotate()).body;
  expect(await derivable(service)).toEqual([newest]);
  expect((await collect()).body.connection_token).toBe(newest);
  expect(await useConnection(service, newest)).toBe('200 ok');
  expect(await derivable(service)).toEqual([]);
  expect(outcome(await collect())).toBe('409 nothing_to_collect');
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
