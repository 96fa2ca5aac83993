import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type PaymentStage, postRequest } from '../people/payments.ts';
import type { TestService } from '../service/service.ts';
import type { Pair } from './pair.ts';

/** `width` equal concurrent creates, spread over both processes: one record, no error. */
export async function equalCreates(
  service: TestService,
  pair: Pair,
  stage: PaymentStage,
  size: { rounds: number; width: number },
): Promise<void> {
  for (let round = 0; round < size.rounds; round += 1) {
    const idempotencyKey = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: size.width }, () => postRequest(pair, stage, {}, { idempotencyKey })),
    );
    const counts = countBy(answers.map((received) => String(received.status)));
    expect(counts).toEqual({ 201: 1, 200: size.width - 1 });
    const ids = new Set(answers.map((received) => received.body.payment_request.request_id));
    expect(ids.size).toBe(1);
    const rows = await service.db`
      select request_id from payment_requests
      where connection_id = ${stage.connectionId} and idempotency_key = ${idempotencyKey}`;
    expect(rows.map((row) => row['request_id'])).toEqual([...ids]);
  }
}

/** One key, every body another one: one winner, 422 for the rest, and the winner's amount is what is stored. */
export async function keyWithOtherBodies(
  pair: Pair,
  stage: PaymentStage,
  size: { rounds: number; width: number },
): Promise<void> {
  for (let round = 0; round < size.rounds; round += 1) {
    const idempotencyKey = randomUUID();
    const send = (amount: string) => postRequest(pair, stage, { payment: { amount } }, { idempotencyKey });
    const amounts = Array.from({ length: size.width }, (_none, index) => `${index + 1}.5`);
    const answers = await Promise.all(amounts.map(send));
    expect(countBy(answers.map((received) => String(received.status)))).toEqual({
      201: 1,
      422: size.width - 1,
    });
    const winner = answers.findIndex((received) => received.status === 201);
    const amount = amounts[winner] ?? '';
    expect((await send(amount)).body.payment_request.payment.amount).toBe(amount);
  }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
