import { expect, it } from 'vitest';
import { createLogLines } from '../../../test/harness/log-lines.ts';
import {
  mailedToken,
  proveDomain,
  sessionOf,
  signIn,
  succeed,
  uniqueDomain,
  uniqueEmail,
} from '../../../test/harness/merchants.ts';
import { serviceForTest } from '../../../test/harness/service.ts';

it('no secret of the whole way stands in any table or log line, used or not', async () => {
  const { log, lines } = createLogLines();
  const service = await serviceForTest({ overrides: () => ({ log }) });
  const email = uniqueEmail();
  const secrets: string[] = [];
  const keep = <T extends string>(secret: T): T => {
    secrets.push(secret);
    return secret;
  };
  const unused = keep(await mailedToken(service, email));
  const token = keep(await mailedToken(service, email));
  const verified = await succeed(
    service.call('POST', '/v1/merchant-accounts/email-verifications', { body: { token } }),
  );
  const session_grant = keep(verified.body.session_grant);
  const made = await succeed(
    service.call('POST', '/v1/merchants', { body: { session_grant, name: 'Shop' } }),
  );
  const next_grant = keep(made.body.next_grant);
  const session = sessionOf(
    await succeed(service.call('POST', '/v1/merchant-sessions', { body: { next_grant } })),
  );
  const back = await signIn(service, email);
  for (const each of [session, back]) {
    keep(each.cookie.split('=')[1] ?? '');
    keep(each.csrf);
  }
  await proveDomain(service, session, uniqueDomain());
  // Refusals and failures must not repeat what they were sent either.
  await service.call('POST', '/v1/merchant-accounts/email-verifications', { body: { token: unused } });
  await service.call('POST', '/v1/merchants', { body: { session_grant, name: 'Again' } });
  await service.call('GET', `/v1/merchants/current?token=${unused}`, { session });
  await service.call('POST', `/v1/nothing/${next_grant}`, { session, body: { token } });
  await service.call('DELETE', '/v1/merchant-sessions/current', { session });

  const tables = await service.db<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`;
  let rowCount = 0;
  for (const { name } of tables) {
    const rows = await service.db<{ text: string }[]>`select t::text as text from ${service.db(name)} t`;
    rowCount += rows.length;
    for (const { text } of rows) for (const secret of secrets) expect(text).not.toContain(secret);
  }
  expect(rowCount).toBeGreaterThan(10);
  const written = lines.join('\n');
  expect(lines.length).toBeGreaterThan(10);
  for (const secret of secrets) expect(written).not.toContain(secret);
  expect(secrets).toHaveLength(8);
  expect(new Set(secrets.map((secret) => secret.length > 40))).toEqual(new Set([true]));
});
