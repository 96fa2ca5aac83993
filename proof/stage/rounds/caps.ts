import { randomInt, randomUUID } from 'node:crypto';
import { addDecimals, compareDecimals, fromBaseUnits } from '@payassent/protocol';
import { expect } from 'vitest';
import {
  type Autonomy,
  activePolicy,
  anotherUser,
  openWindow,
  paymentBody,
  report,
} from '../people/autonomy.ts';
import type { Caller } from '../service/client.ts';
import type { ServiceProcess } from '../service/process.ts';
import type { TestService } from '../service/service.ts';
import { startBeside } from './pair.ts';

interface CapRace {
  rounds: number;
  callers: number;
  /** One of the two processes is killed in the middle of every n-th round and started again for the next one. */
  killEvery: number;
}

interface CapResult {
  accepted: number;
  refused: number;
  /** Calls whose process was killed before it responded. */
  unanswered: number;
  kills: number;
}

interface Attempt {
  asset: 'XLM' | 'USDC';
  amount: string;
  key: string;
  answered: 'accepted' | 'refused' | 'unknown';
}

/**
 * Many callers race for one cap, over two processes, with random amounts, while the same race runs for another asset on
 * the same connection and a process is killed in between. After every round: what is stored never passes the cap, the
 * policy knows it to the last digit, and anyone who was refused would really have passed it.
 */
export async function raceForCaps(
  service: TestService,
  world: Autonomy,
  token: { payee: Autonomy['payee']; issuer: string },
  race: CapRace,
): Promise<CapResult> {
  const result: CapResult = { accepted: 0, refused: 0, unanswered: 0, kills: 0 };
  let processes = [await startBeside(service), await startBeside(service)] as const;
  try {
    for (let round = 1; round <= race.rounds; round += 1) {
      const stage = await roundStage(service, world, token);
      const attempts = Array.from({ length: race.callers }, newAttempt);
      const kills = race.killEvery > 0 && round % race.killEvery === 0;
      const [steady, victim] = processes;
      const dying = kills ? killSoon(victim) : Promise.resolve();
      await Promise.all(
        attempts.map((attempt, index) => send(index % 2 === 0 ? steady.call : victim.call, stage, attempt)),
      );
      await dying;
      if (kills) {
        result.kills += 1;
        processes = [steady, await startBeside(service)];
      }
      result.unanswered += attempts.filter(({ answered }) => answered === 'unknown').length;
      // A client that got no response sends the same again.
      for (const attempt of attempts)
        if (attempt.answered === 'unknown') await send(steady.call, stage, attempt);
      await expectHeld(service, stage, attempts);
      await endSome(service, stage);
      result.accepted += attempts.filter(({ answered }) => answered === 'accepted').length;
      result.refused += attempts.filter(({ answered }) => answered === 'refused').length;
    }
  } finally {
    await Promise.all(processes.map((running) => running.end('SIGKILL')));
  }
  return result;
}

interface RoundStage {
  user: Autonomy;
  usdcRecipient: string;
  caps: Record<Attempt['asset'], { policyId: string; limit: string }>;
}

async function roundStage(
  service: TestService,
  world: Autonomy,
  token: { payee: Autonomy['payee']; issuer: string },
): Promise<RoundStage> {
  const user = await anotherUser(service, world);
  const validity_window = openWindow(service.clock.now());
  const limits = () => ({
    single_tx_limit: '1000000',
    cumulative_limit: fromBaseUnits(BigInt(randomInt(1, 400_000_000)), 7),
    validity_window,
  });
  const [xlm, usdc] = [limits(), limits()];
  const allowlist = [{ recipient_id: token.payee.recipientId }];
  const policies = [
    await activePolicy(service, user, xlm),
    await activePolicy(service, user, { ...usdc, asset: 'USDC', issuer: token.issuer, allowlist }),
  ];
  return {
    user,
    usdcRecipient: token.payee.recipientId,
    caps: {
      XLM: { policyId: policies[0].id, limit: xlm.cumulative_limit },
      USDC: { policyId: policies[1].id, limit: usdc.cumulative_limit },
    },
  };
}

function newAttempt(): Attempt {
  return {
    asset: randomInt(4) === 0 ? 'USDC' : 'XLM',
    amount: fromBaseUnits(BigInt(randomInt(1, 40_000_000)), 7),
    key: randomUUID(),
    answered: 'unknown',
  };
}

async function send(call: Caller, { user, usdcRecipient }: RoundStage, attempt: Attempt): Promise<void> {
  const { asset, amount, key } = attempt;
  const token = asset === 'USDC' ? { asset, recipient_id: usdcRecipient } : {};
  const sent = { apiKey: user.apiKey, idempotencyKey: key, body: paymentBody(user, amount, token) };
  const answer = await call('POST', '/v1/agent-payments', sent).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return;
  if (answer.status === 403) {
    expect(answer.body.error.details.triggered_thresholds).toEqual(['cumulative_limit']);
    attempt.answered = 'refused';
  } else {
    expect([200, 201]).toContain(answer.status);
    attempt.answered = 'accepted';
  }
}

async function killSoon(victim: ServiceProcess): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, randomInt(20, 400)));
  await victim.end('SIGKILL');
}

async function expectHeld(service: TestService, stage: RoundStage, attempts: readonly Attempt[]) {
  for (const [asset, { policyId, limit }] of Object.entries(stage.caps)) {
    const rows = await service.db<{ idempotency_key: string; amount: string }[]>`
      select idempotency_key, amount from agent_payments where policy_id = ${policyId}`;
    const total = rows.reduce((sum, row) => addDecimals(sum, row.amount), '0');
    expect(compareDecimals(total, limit), `${asset}: ${total} of ${limit}`).toBeLessThanOrEqual(0);
    expect(await usage(service, policyId)).toEqual({ spent: '0', reserved: total });
    const own = attempts.filter((attempt) => attempt.asset === asset);
    const accepted = own.filter(({ answered }) => answered === 'accepted').map(({ key }) => key);
    expect(rows.map((row) => row.idempotency_key).sort()).toEqual(accepted.sort());
    for (const { amount, answered } of own)
      if (answered === 'refused') expect(compareDecimals(addDecimals(total, amount), limit)).toBe(1);
  }
}

async function usage(service: TestService, policyId: string) {
  const [row] = await service.db<{ spent: string; reserved: string }[]>`
    select spent, reserved from automation_policies where policy_id = ${policyId}`;
  return row && { spent: addDecimals(row.spent, '0'), reserved: addDecimals(row.reserved, '0') };
}

/** Some are confirmed, some fail, all concurrently: the spent and reserved amounts stay exact. */
async function endSome(service: TestService, { user, caps }: RoundStage): Promise<void> {
  const { policyId } = caps.XLM;
  const rows = await service.db<{ agent_payment_id: string; amount: string }[]>`
    select agent_payment_id, amount from agent_payments where policy_id = ${policyId} order by agent_payment_id`;
  const ways = [['rejected'], ['signed', 'broadcasted', 'confirmed'], [], ['signed', 'failed']] as const;
  const sums = { spent: '0', reserved: '0' };
  await Promise.all(
    rows.slice(0, 12).map(async ({ agent_payment_id: id }, index) => {
      for (const status of ways[index % ways.length] ?? []) {
        const { status: answered } = await report(service, user, id, status);
        expect(answered).toBe(200);
      }
    }),
  );
  for (const [index, { amount }] of rows.entries()) {
    const last = index < 12 ? (ways[index % ways.length] ?? []).at(-1) : undefined;
    if (last === undefined) sums.reserved = addDecimals(sums.reserved, amount);
    if (last === 'confirmed') sums.spent = addDecimals(sums.spent, amount);
  }
  expect(await usage(service, policyId)).toEqual(sums);
}
