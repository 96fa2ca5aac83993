import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mailedToken, succeed, uniqueEmail, verifiedMerchant } from '@payassent/proof/people/merchants';
import { nextLink } from '@payassent/proof/people/operators';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let cli: PayAssent;
beforeAll(async () => {
  service = await startService();
  cli = await payassent(service.url);
});
afterAll(async () => {
  await cli.remove();
  await service.close();
});

const link = (token: string) => `${service.url}/portal/verify#token=${token}`;

async function signIn(profile: string, token: string) {
  return cli.here(['merchant', 'sign-in', '--profile', profile, '--link', '-', '--json'], {
    input: `${link(token)}\n`,
  });
}

describe('the people of an organization from the command line', () => {
  it('signs in with a mailed link, and the session is kept in the profile as a secret', async () => {
    const merchant = await verifiedMerchant(service);
    const asked = await cli(['merchant', 'link', merchant.email]);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('on its way') });
    const signedIn = await signIn('first', await nextLink(service, merchant.email));
    expect(signedIn.lines[0]).toMatchObject({ operator: { email: merchant.email, role: 'owner' } });
    const kept = JSON.parse(await readFile(join(cli.folder, 'first.json'), 'utf8'));
    expect(kept.session_cookie).toMatch(/^svc_session=svc_ms_/);
    const shown = await cli.here(['profiles', 'show', '--profile', 'first']);
    expect(shown.stdout).not.toContain(kept.session_cookie);
    const sessions = await cli.here(['sessions', 'list', '--profile', 'first', '--json']);
    expect(sessions.lines[0].sessions.filter((one: { current: boolean }) => one.current)).toHaveLength(1);
  });

  it('invites, changes a role, removes, and lets a second owner approve', async () => {
    const merchant = await verifiedMerchant(service);
    await signIn('one', await mailedToken(service, merchant.email));
    const as = (profile: string, ...args: string[]) =>
      cli.here([...args, '--profile', profile, '--json']).then(({ code, lines }) => ({ code, ...lines[0] }));
    const email = uniqueEmail();
    const invited = await as('one', 'operators', 'invite', email, '--role', 'developer');
    expect(invited).toMatchObject({ code: 0, operator: { email, role: 'developer', status: 'invited' } });
    await signIn('two', await nextLink(service, email));
    expect(await as('two', 'operators', 'invite', uniqueEmail(), '--role', 'viewer')).toMatchObject({
      code: 1,
      error: { code: 'insufficient_role' },
    });
    expect(await as('one', 'operators', 'role', email, '--role', 'owner')).toMatchObject({
      operator: { role: 'owner', status: 'active' },
    });
    const { session } = merchant;
    const { version } = (await service.call('GET', '/v1/merchants/current', { session })).body.merchant;
    const body = { four_eyes: true, version };
    await succeed(service.call('PATCH', '/v1/merchants/current', { session, body }));

    const third = uniqueEmail();
    const waiting = await as('one', 'operators', 'invite', third, '--role', 'viewer');
    expect(waiting).toMatchObject({ code: 0, approval: { act: 'operator.invite', status: 'pending' } });
    const id = waiting.approval.approval_id;
    expect(await as('one', 'approvals', 'approve', id)).toMatchObject({
      code: 1,
      error: { code: 'second_person_required' },
    });
    const listed = await cli.here(['approvals', 'list', '--profile', 'two']);
    expect(listed.stdout).toContain(
      `${id}  pending  operator.invite  by ${merchant.email}  role=viewer email=${third}`,
    );
    expect(await as('two', 'approvals', 'approve', id)).toMatchObject({ approval: { status: 'approved' } });
    const { operators } = await as('one', 'operators', 'list');
    expect(operators.map((one: { email: string }) => one.email)).toContain(third);
    const removal = await as('two', 'operators', 'remove', third);
    expect(await as('one', 'approvals', 'reject', removal.approval.approval_id)).toMatchObject({
      approval: { status: 'rejected' },
    });
    expect(await as('two', 'passkeys', 'list')).toMatchObject({ code: 0, passkeys: [] });
    expect(await as('two', 'sessions', 'end', 'all')).toMatchObject({ code: 0, ended: 'all' });
    expect(await as('two', 'operators', 'list')).toMatchObject({ error: { code: 'token_revoked' } });
  });
});
