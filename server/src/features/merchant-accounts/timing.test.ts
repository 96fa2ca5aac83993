import { afterAll, beforeAll, expect, it } from 'vitest';
import { uniqueEmail } from '../../../test/harness/merchants.ts';
import { startService, type TestService } from '../../../test/harness/service.ts';

const ROUNDS = 60;
const PATH = '/v1/merchant-accounts/registrations';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** How often a value of one list is larger than one of the other: 0.5 when nothing tells them apart. */
function chanceOfLarger(left: readonly number[], right: readonly number[]): number {
  let score = 0;
  for (const a of left) for (const b of right) score += a > b ? 1 : a === b ? 0.5 : 0;
  return score / (left.length * right.length);
}

it('a known, an unknown and a tired address cannot be told apart by time', async ({ annotate }) => {
  const tired = uniqueEmail();
  await service.db`
    insert into email_links
    select 'tired' || n, ${tired}, 'mlj_tired' || n, 'x', now(), now() + interval '15 minutes' from generate_series(1, 20) n`;
  await service.db`
    insert into accounts select 'acc_known' || n, 'known' || n || '@shop.example', now() from generate_series(0, 200) n`;
  await service.db`
    insert into merchants select 'mer_known' || n, 'Shop', 'active', 2, now(), now() from generate_series(0, 200) n`;
  await service.db`
    insert into merchant_operators select 'mer_known' || n, 'acc_known' || n, now() from generate_series(0, 200) n`;
  const kinds = {
    known: (round: number) => `known${round}@shop.example`,
    unknown: () => uniqueEmail(),
    tired: () => tired,
  };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const samples: Record<keyof typeof kinds, number[]> = { known: [], unknown: [], tired: [] };
  const warmUp = 10;
  for (let round = 0; round < warmUp + ROUNDS; round += 1) {
    // Another order each round, so that no kind always follows the same one: the mail before is still being sent.
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const [at] of order.entries()) {
      const name = order[(round + at) % order.length] ?? 'known';
      const email = kinds[name](round);
      const startedMs = performance.now();
      await service.call('POST', PATH, { body: { email } });
      if (round >= warmUp) samples[name].push(performance.now() - startedMs);
    }
  }
  const versus = (a: keyof typeof kinds, b: keyof typeof kinds) => chanceOfLarger(samples[a], samples[b]);
  const figures = names.map((name) => `${name} ${median(samples[name]).toFixed(2)} ms`).join(', ');
  const chances = { known: versus('known', 'unknown'), tired: versus('tired', 'unknown') };
  await annotate(
    `median of ${ROUNDS}: ${figures}; slower than unknown: known ${chances.known.toFixed(3)}, tired ${chances.tired.toFixed(3)}`,
  );
  // With 60 samples chance alone moves the figure by 0.05 (one standard deviation).
  for (const chance of Object.values(chances)) expect(Math.abs(chance - 0.5)).toBeLessThan(0.22);
});
