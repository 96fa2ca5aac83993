import { randomInt, randomUUID } from 'node:crypto';
import { addDecimals } from '@payassent/protocol';
import { expect } from 'vitest';
import {
  type Autonomy,
  activePolicy,
  anotherUser,
  openWindow,
  optIn,
  paymentBody,
  readPolicy,
  report,
} from '../people/autonomy.ts';
import { succeed } from '../people/merchants.ts';
import { deviceOf } from '../people/wallets.ts';
import { until } from '../people/webhooks.ts';
import type { Body, Caller, Received } from '../service/client.ts';
import type { TestService } from '../service/service.ts';
import { sideBySide } from './pair.ts';

/**
 * Every kind of change to one policy happens concurrently, and in the end its connection is revoked. Calls may fail
 * only for published reasons, and the policy's usage equals that of its payments.
 */
export async function changesAtOnce(
  service: TestService,
  callers: readonly Caller[],
  world: Autonomy,
  size: { rounds: number; workers: number; steps: number },
): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  for (let round = 0; round < size.rounds; round += 1) {
    const user = await anotherUser(service, world);
    const validity_window = openWindow(service.clock.now());
    const policy = await activePolicy(service, user, { cumulative_limit: '60', validity_window });
    const made: string[] = [];
    await sideBySide(size.workers, async (worker) => {
      for (let step = 0; step < size.steps; step += 1) {
        const call = callers[(worker + step) % callers.length] ?? service.call;
        const answer = await oneAct({ call }, user, policy, made);
        const code = answer.body.error?.code ?? 'ok';
        outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
        expect(answer.status, answer.text).toBeLessThan(500);
      }
      if (worker === 0) {
        const device = deviceOf(user.device);
        await succeed(service.call('DELETE', `/v1/connections/${user.connectionId}`, { device }));
      }
    });
    await expectConsistent(service, user, policy.id);
  }
  return outcomes;
}

async function oneAct(
  service: { call: Caller },
  user: Autonomy,
  policy: Body,
  made: string[],
): Promise<Received> {
  const device = deviceOf(user.device);
  const path = `/v1/automation-policies/${policy.id}`;
  const current = async () => (await readPolicy(service, user, policy.id)).version;
  const some = made[randomInt(made.length + 1)] ?? 'ap_none';
  switch (randomInt(9)) {
    case 0:
      return report(service, user, some, ['signed', 'rejected', 'failed'][randomInt(3)] ?? '');
    case 1:
      return report(service, user, some, ['broadcasted', 'confirmed'][randomInt(2)] ?? '');
    case 2:
      return service.call('POST', `/v1/agent-payments/${some}/cancel`, { apiKey: user.apiKey });
    case 3: {
      const body = { version: await current(), cumulative_limit: String(randomInt(20, 90)) };
      return service.call('PATCH', path, { device, body });
    }
    case 4:
      return service.call('POST', `${path}/pause`, { bearer: user.admin });
    case 5:
      return optIn(service, user, { id: policy.id, version: await current() });
    default: {
      const body = paymentBody(user, `${randomInt(1, 10)}.5`);
      const sent = { apiKey: user.apiKey, idempotencyKey: randomUUID(), body };
      const answer = await service.call('POST', '/v1/agent-payments', sent);
      if (answer.status === 201) made.push(answer.body.data.id);
      return answer;
    }
  }
}

/** An intent that someone held when the connection was revoked is left to the job, and gives its amount back then. */
async function expectConsistent(service: TestService, user: Autonomy, policyId: string): Promise<void> {
  const rows = await until(async () => {
    const found = await service.db<{ status: string; amount: string }[]>`
      select status, amount from agent_payments where policy_id = ${policyId}`;
    return found.every((row) => row.status !== 'intent_created') && found;
  });
  const sum = (...statuses: string[]) =>
    rows
      .filter((row) => statuses.includes(row.status))
      .reduce((total, row) => addDecimals(total, row.amount), '0');
  const { status, usage } = await readPolicy(service, user, policyId);
  expect({ status, spent: usage.spent, reserved: usage.reserved }).toEqual({
    status: 'revoked',
    spent: sum('confirmed'),
    reserved: sum('signed', 'broadcasted'),
  });
}
