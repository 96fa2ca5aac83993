// Long: runs the command many times.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { startService, type TestService } from '@payassent/proof/service/service';
import { SCOPES } from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let world: World;
let cli: PayAssent;
let agentEnv: Record<string, string>;

beforeAll(async () => {
  service = await startService();
  world = await wholeWorld(service);
  cli = await payassent(service.url);
  const { agentId, kid, key } = world.registered;
  const keyFile = join(cli.env['HOME'] ?? '', 'agent.seed');
  await writeFile(keyFile, `${key.seed}\n`, { mode: 0o600 });
  agentEnv = { PAYASSENT_AGENT_ID: agentId, PAYASSENT_KID: kid, PAYASSENT_KEY_FILE: keyFile };
});

afterAll(async () => {
  await cli.remove();
  await service.close();
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const token = () => ({ PAYASSENT_CONNECTION_TOKEN: world.connectionToken });

describe('agent token', () => {
  it('prints the token alone on stdout, and everything with --json', async () => {
    const [human, machine] = await Promise.all([
      cli(['agent', 'token'], { env: agentEnv }),
      cli.here(['agent', 'token', '--json'], { env: agentEnv }),
    ]);
    expect(human).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_at_\w{49}\n$/) });
    expect(human.stderr).toContain('payment.requests.create');
    expect(machine).toMatchObject({ code: 0, stderr: '' });
    const answer = { token_type: 'Bearer', expires_in: 600, scopes: expect.arrayContaining([...SCOPES]) };
    expect(machine.lines).toEqual([expect.objectContaining(answer)]);
  });

  it('takes the key from stdin, and prints a rejection with its code, advice and request id', async () => {
    const { PAYASSENT_KEY_FILE: _, ...env } = agentEnv;
    const { seed } = world.registered.key;
    const other = { ...env, PAYASSENT_KID: 'another-kid' };
    const [piped, human, machine] = await Promise.all([
      cli(['agent', 'token', '--key-file', '-'], { env, input: seed }),
      cli.here(['agent', 'token'], { env: { ...other, PAYASSENT_KEY: seed } }),
      cli.here(['agent', 'token', '--json'], { env: { ...other, PAYASSENT_KEY: seed } }),
    ]);
    expect(piped).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_at_/) });
    expect(human).toMatchObject({ code: 1, stdout: '' });
    expect(human.stderr).toMatch(/^invalid_assertion: .+\n.+\nRequest id: \S+\n$/);
    expect(machine).toMatchObject({ code: 1, stderr: '' });
    expect(machine.lines).toEqual([
      {
        ok: false,
        error: {
          code: 'invalid_assertion',
          message: expect.any(String),
          http_status: 401,
          request_id: expect.any(String),
          advice: expect.any(String),
        },
      },
    ]);
    expect(human.stderr + machine.stdout).not.toContain(seed);
  });
});

describe('keys prove', () => {
  it('signs the challenge of a registration, so that the key can be activated, and no other text', async () => {
    const { agentId } = world.registered;
    const made = await cli.here(['keys', 'generate', '--profile', 'new', '--json']);
    const { credentials } = world.merchant.agents;
    const { public_key } = made.lines[0];
    const { credential, proof_challenge } = await credentials.register(agentId, {
      kid: 'second',
      public_key,
    });
    const prove = (...more: string[]) => [
      'keys',
      'prove',
      '--profile',
      'new',
      '--agent-id',
      agentId,
      ...more,
    ];
    const [proved, otherKid] = await Promise.all([
      cli.here(prove('--kid', 'second', '--challenge', '-'), { input: `${proof_challenge}\n` }),
      cli.here(prove('--kid', 'third', '--challenge', proof_challenge)),
    ]);
    expect(proved).toMatchObject({ code: 0, stderr: '' });
    const proof = { challenge: proof_challenge, signature: proved.stdout.trim() };
    const activated = await credentials.activate(agentId, credential.credential_id, proof);
    expect(activated.credential.status).toBe('active');
    expect(otherKid).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('another kid') });
  });
});

describe('connect', () => {
  it('claims a Connect Key, waits for the approval, and keeps the token where only the owner reads it', async () => {
    const { connect_key } = await world.wallet.connectKeys.create();
    const running = cli.start(['connect', '--connect-key', '-', '--profile', 'shop', '--json'], {
      env: agentEnv,
      input: connect_key,
    });
    const { connect_invitation } = await running.line('claimed');
    await world.wallet.invitations.approve(connect_invitation.connect_invitation_id);
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const profileFile = join(cli.folder, 'shop.json');
    const connected = ended.lines.at(-1);
    expect(connected).toMatchObject({ type: 'connected', profile: 'shop', profile_file: profileFile });
    expect(connected.connection.scopes).toEqual(expect.arrayContaining([...SCOPES]));
    expect(ended.stdout).not.toMatch(/svc_ct_|svc_ck_|svc_cl_/);
    expect([await modeOf(profileFile), await modeOf(cli.folder)]).toEqual([0o600, 0o700]);
    const profile = JSON.parse(await readFile(profileFile, 'utf8'));
    expect(profile.connection_token).toMatch(/^svc_ct_/);

    // The profile alone is now enough, a token that the wallet rotates included.
    await world.wallet.connections.rotateToken(profile.connection_id);
    const created = await cli(
      [
        'request',
        'create',
        '--profile',
        'shop',
        '--recipient',
        world.payee.recipientId,
        '--amount',
        '1',
        '--json',
      ],
      { env: agentEnv },
    );
    expect(created, created.stdout).toMatchObject({ code: 0 });
    const rotated = JSON.parse(await readFile(profileFile, 'utf8'));
    expect(rotated.connection_token).toMatch(/^svc_ct_/);
    expect(rotated.connection_token).not.toBe(profile.connection_token);

    const [again, shown] = await Promise.all([
      cli.here(['connect', '--pair', '--profile', 'shop'], { env: agentEnv }),
      cli.here(['profiles', 'show', '--profile', 'shop', '--json']),
    ]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    expect(shown.lines[0].connection_token).toMatch(/^svc_ct_….{4}$/);
  });

  it('pairs by a code, and ends with 4 when the customer rejects and with 3 when the time is over', async () => {
    const pair = (profile: string, ...more: string[]) =>
      cli.start(
        ['connect', '--pair', '--profile', profile, '--scope', 'payment.requests.read', '--json', ...more],
        {
          env: agentEnv,
        },
      );
    const [approved, rejected, late] = [pair('paired'), pair('refused'), pair('late', '--timeout', '600ms')];
    const accepted = (await approved.line('pairing_session')).pairing_session;
    await world.wallet.pairing.approve(accepted.pairing_session_id, { code: accepted.code });
    const refused = (await rejected.line('pairing_session')).pairing_session;
    await world.wallet.pairing.reject(refused.pairing_session_id, { code: refused.code });
    const ended = await approved.ended;
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.lines.at(-1).connection.scopes).toEqual(['payment.requests.read']);
    const [no, timeout] = [await rejected.ended, await late.ended];
    expect(no).toMatchObject({ code: 4 });
    expect(no.lines.at(-1).error).toMatchObject({ code: 'not_approved', status: 'rejected' });
    expect(timeout).toMatchObject({ code: 3 });
    expect(timeout.lines.at(-1).error.code).toBe('wait_timeout');
  });
});

describe('request', () => {
  it('creates with a context, prints the key, and finds the same request with it again', async () => {
    const args = [
      ...['request', 'create', '--json', '--recipient', world.payee.recipientId, '--amount', '12.50'],
      ...['--context-title', 'Two tickets', '--context-summary', 'For Friday', '--context-item', 'Seat 4'],
      ...['--metadata', '{"order":"A-1"}', '--recipient-version', world.payee.recipientVersionId],
    ];
    const first = await cli(args, { env: token() });
    const { payment_request, idempotency_key, replayed } = first.lines[0];
    expect(first).toMatchObject({ code: 0, stderr: `Idempotency key: ${idempotency_key}\n` });
    expect(replayed).toBe(false);
    expect(payment_request).toMatchObject({ status: 'pending', metadata: { order: 'A-1' } });
    expect(payment_request.payment).toMatchObject({ amount: '12.50', asset: 'XLM', to: world.payee.address });
    const { transaction_context } = await world.wallet.context(payment_request.transaction_id);
    expect(transaction_context).toMatchObject({ title: 'Two tickets', line_items: [{ text: 'Seat 4' }] });

    const [again, read, human] = await Promise.all([
      cli.here([...args, '--idempotency-key', idempotency_key], { env: token() }),
      cli(['request', 'get', payment_request.request_id, '--json'], { env: token() }),
      cli.here(['request', 'get', payment_request.request_id], { env: token() }),
    ]);
    expect(again.lines[0]).toMatchObject({
      replayed: true,
      idempotency_key,
      payment_request: { request_id: payment_request.request_id },
    });
    expect(read.lines[0].payment_request.request_id).toBe(payment_request.request_id);
    expect(human.stdout).toMatch(
      /^Request +pr_\w+\nStatus +pending .+\nAmount +12\.50 XLM on stellar_testnet\n/,
    );
  });

  it('prints every issue of a rejected create with exit code 1, and of a wrong input with exit code 2', async () => {
    const create = (...args: string[]) =>
      cli.here(['request', 'create', '--recipient', world.payee.recipientId, ...args], { env: token() });
    const [refused, noAmount, noJson, noToken, unknown] = await Promise.all([
      create('--amount', '1.0e3', '--display', '{"memo":"x"}'),
      create(),
      create('--amount', '1', '--metadata', 'order=1'),
      cli.here(['request', 'get', 'pr_x']),
      cli.here(['request', 'get', 'pr_x', '--json'], { env: token() }),
    ]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/payment\.amount: .+\(amount_invalid\)/);
    expect(refused.stderr).toMatch(/display\.memo: .+\(display_override_forbidden\)/);
    expect(noAmount).toMatchObject({ code: 2, stderr: expect.stringContaining('--amount') });
    expect(noJson).toMatchObject({ code: 2, stderr: expect.stringContaining('--metadata') });
    expect(noToken).toMatchObject({ code: 2, stderr: expect.stringContaining('payassent connect') });
    expect(unknown).toMatchObject({ code: 1 });
    expect(unknown.lines[0].error).toMatchObject({ code: 'resource_not_found', http_status: 404 });
  });

  it('hands the key back when a create has no response, so that it can be repeated', async () => {
    const env = { ...token(), PAYASSENT_BASE_URL: 'http://127.0.0.1:9' };
    const { recipientId } = world.payee;
    const args = ['request', 'create', '--recipient', recipientId, '--amount', '1', '--json'];
    const ended = await cli.here(args, { env });
    const key = /^Idempotency key: (\S+)\n$/.exec(ended.stderr)?.[1];
    expect([ended.code, key]).toEqual([3, expect.any(String)]);
    expect(ended.lines).toEqual([
      { ok: false, error: expect.objectContaining({ code: 'network_error', idempotency_key: key }) },
    ]);
  });

  it('watches until the end, continues from a cursor, and ends with the exit code of the outcome', async () => {
    const create = async (amount: string) =>
      (
        await world.connection.paymentRequests.create({
          recipient_id: world.payee.recipientId,
          payment: { amount },
        })
      ).payment_request.request_id;
    const [paid, refused] = [await create('2'), await create('3')];
    const cursorFile = join(cli.env['HOME'] ?? '', 'cursor');
    const watch = (id: string, ...more: string[]) =>
      cli.start(['request', 'watch', id, '--json', ...more], { env: token() });
    const first = watch(paid, '--until', 'signed', '--cursor-file', cursorFile);
    const other = watch(refused);
    const report = (id: string, status: 'signed' | 'broadcasted' | 'confirmed' | 'rejected') =>
      world.wallet.paymentRequests.reportStatus(id, { status });
    await report(paid, 'signed');
    await report(refused, 'rejected');
    const signed = await first.ended;
    expect(signed).toMatchObject({ code: 0 });
    expect(signed.lines.map(({ status }) => status)).toEqual(['signed']);
    const rejected = await other.ended;
    expect(rejected).toMatchObject({ code: 4 });
    expect(rejected.lines.map(({ status }) => status)).toEqual(['rejected']);
    expect(Number(await readFile(cursorFile, 'utf8'))).toBe(signed.lines[0].sequence);

    await report(paid, 'broadcasted');
    await report(paid, 'confirmed');
    const again = (...more: string[]) =>
      cli.here(['request', 'watch', paid, '--json', ...more], { env: token() });
    const [rest, whole, late, lateAll] = await Promise.all([
      watch(paid, '--cursor-file', cursorFile).ended,
      again(),
      // A separate process: a call that is aborted while it connects leaves a socket behind in its process.
      watch(await create('4'), '--timeout', '1s').ended,
      cli(['request', 'watch', '--json', '--timeout', '1s'], { env: token() }),
    ]);
    expect(rest).toMatchObject({ code: 0 });
    expect(rest.lines.map(({ status }) => status)).toEqual(['broadcasted', 'confirmed']);
    expect(whole.lines.map(({ status }) => status)).toEqual(['signed', 'broadcasted', 'confirmed']);
    expect(late).toMatchObject({ code: 3 });
    expect(late.lines.at(-1).error.code).toBe('wait_timeout');
    expect(lateAll.lines.at(-1).error.message).toContain('The end of the watch');

    // What is before the place where a watch continues was reached all the same; what never came was not.
    const since = ['--since', await readFile(cursorFile, 'utf8').then((text) => text.trim())];
    const passed = await Promise.all(
      ['pending', 'signed', 'failed'].map((status) => again('--until', status, ...since)),
    );
    expect(passed.map(({ code }) => code)).toEqual([0, 0, 4]);
  });

  it('ends at Ctrl-C with 0 where that is the usual end, and with 130 where something was waited for', async () => {
    const all = cli.start(['request', 'watch', '--json'], { env: token() });
    const pairing = cli.start(['connect', '--pair', '--profile', 'stopped', '--json'], { env: agentEnv });
    const { payment_request } = await world.connection.paymentRequests.create({
      recipient_id: world.payee.recipientId,
      payment: { amount: '6' },
    });
    await world.wallet.paymentRequests.reportStatus(payment_request.request_id, { status: 'rejected' });
    await Promise.all([all.line('payment_request.rejected'), pairing.line('pairing_session')]);
    const [watched, waited] = await Promise.all([all.stop(), pairing.stop()]);
    expect(watched).toMatchObject({ code: 0, stderr: '' });
    expect(waited).toMatchObject({ code: 130, stderr: '' });
  });
});
