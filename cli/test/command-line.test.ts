import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { formatToken } from '@payassent/protocol';
import { agentKeyFromPem, agentKeyFromSeed } from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { helpFor } from '../src/help.ts';
import { COMMANDS } from '../src/registry.ts';

let cli: PayAssent;

beforeAll(async () => {
  cli = await payassent();
});

afterAll(() => cli.remove());

describe('a server that is not what it claims to be', () => {
  it('cannot write escape sequences to the terminal by its errors', async () => {
    const error = {
      code: 'evil\u001b[2J',
      message: 'line\nPay 0.01 XLM\u001b]0;title\u0007',
      request_id: 'req\u009b31m',
      issues: [{ field: 'a\u202eb', code: 'x\u0008', message: '\u001b[1A' }],
    };
    const server = createServer((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: false, error }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { stderr, code } = await cli.here(
      ['request', 'get', 'pr_1', '--base-url', `http://127.0.0.1:${port}`],
      {
        env: { PAYASSENT_CONNECTION_TOKEN: formatToken('connection', new Uint8Array(32).fill(7)) },
      },
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain('evil<U+001B>[2J: line Pay 0.01 XLM<U+001B>]0;title<U+0007>\n');
    expect(stderr).toContain('a<U+202E>b');
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe('payassent', () => {
  it('describes what it can do, for every command', async () => {
    const [bare, group, one, asked, version] = await Promise.all([
      cli([]),
      cli.here(['keys', '--help']),
      cli(['request', 'create', '--help']),
      cli.here(['help', 'request', 'create']),
      cli.here(['--version', '--json']),
    ]);
    for (const { code } of [bare, group, one, asked, version]) expect(code).toBe(0);
    expect(asked.stdout).toBe(one.stdout);
    expect(version.lines).toEqual([{ version: expect.stringMatching(/^\d+\.\d+\.\d+/) }]);
    for (const name of Object.keys(COMMANDS)) expect(bare.stdout).toContain(`\n  ${name} `);
    expect(group.stdout).not.toContain('webhooks');
    for (const [name, load] of Object.entries(COMMANDS)) {
      const command = await load();
      expect(command.name).toBe(name);
      const help = await helpFor(command);
      for (const option of ['json', 'help', ...Object.keys(command.options)])
        expect(help).toMatch(new RegExp(`^  --${option} `, 'm'));
      if (name === 'request create') expect(one.stdout).toBe(`${help}\n`);
    }
  });

  it('ends with 2 for what it does not understand, in words or as JSON', async () => {
    const [unknown, half, option, extra, json] = await Promise.all([
      cli(['pay']),
      cli.here(['request']),
      cli.here(['keys', 'generate', '--colour', 'red']),
      cli.here(['keys', 'generate', 'here']),
      cli(['wallet', 'simulate', '--approve', '--reject', '--json']),
    ]);
    expect(unknown).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Unknown command: pay'),
    });
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining('create, get, watch') });
    expect(option).toMatchObject({ code: 2, stderr: expect.stringContaining('--colour') });
    expect(extra).toMatchObject({ code: 2 });
    expect(json).toMatchObject({ code: 2, stderr: '' });
    expect(json.lines).toEqual([
      { ok: false, error: { code: 'usage', message: expect.stringContaining('--approve') } },
    ]);
  });

  it('ends with 2 for times, identifiers and settings that cannot be', async () => {
    const { here } = cli;
    const refused = await Promise.all([
      here(['request', 'watch', '--timeout', '597h']),
      here(['wallet', 'simulate', '--timeout', '2000h']),
      here(['request', 'create', '--recipient', 'r', '--amount', '1', '--expires-in', '8785h']),
      here(['request', 'get', '..']),
      here(['request', 'watch', '.']),
      here(['connect', '--collect', '..']),
    ]);
    for (const { code } of refused) expect(code).toBe(2);
    const words = [
      'at most 596h',
      'at most 596h',
      'at most 8784h',
      'no identifier',
      'no identifier',
      'no id',
    ];
    for (const [index, word] of words.entries()) expect(refused[index]?.stderr).toContain(word);
  });

  it('ends with 3 when no service responds, and with 2 when the address is invalid', async () => {
    const env = {
      PAYASSENT_BASE_URL: 'http://127.0.0.1:9',
      PAYASSENT_DEVICE_TOKEN: `svc_dt_${'a'.repeat(49)}`,
    };
    const [away, plainHttp] = await Promise.all([
      cli(['wallet', 'connect-key', '--json'], { env }),
      cli.here(['wallet', 'connect-key'], { env: { ...env, PAYASSENT_BASE_URL: 'http://pay.example' } }),
    ]);
    expect(away).toMatchObject({ code: 3, stderr: '' });
    expect(away.lines).toEqual([
      { ok: false, error: expect.objectContaining({ code: 'network_error', advice: expect.any(String) }) },
    ]);
    expect(plainHttp).toMatchObject({ code: 2, stderr: expect.stringContaining('https') });
    expect(plainHttp.stderr).not.toContain('allowInsecureHttp');
  });

  it('runs the commands of the host, and reports a wrong configuration', async () => {
    const [config, wrong] = await Promise.all([
      cli(['config', '--json'], {
        env: { SVC_PORT: '9999', SVC_METRICS_TOKEN: 'very-secret-token-of-metrics' },
      }),
      cli(['serve', '--json'], { env: { SVC_PORT: 'many' } }),
    ]);
    expect(config).toMatchObject({ code: 0, stderr: '' });
    expect(config.lines[0]).toMatchObject({ port: 9999 });
    expect(config.stdout).not.toContain('very-secret');
    expect(wrong).toMatchObject({ code: 78, stderr: '' });
    expect(wrong.lines).toEqual([
      { ok: false, error: { code: 'usage', message: expect.stringContaining('SVC_PORT') } },
    ]);
  });
});

describe('keys generate', () => {
  it('writes a key only its owner can read, in both forms that the SDK reads, and replaces none unasked', async () => {
    const seedFile = join(cli.env['HOME'] ?? '', 'keys', 'agent.seed');
    const pemFile = join(cli.env['HOME'] ?? '', 'agent.pem');
    const [seed, pem] = await Promise.all([
      cli(['keys', 'generate', '--out', seedFile, '--json']),
      cli.here(['keys', 'generate', '--out', pemFile, '--format', 'pem', '--json']),
    ]);
    const [seedText, pemText] = [await readFile(seedFile, 'utf8'), await readFile(pemFile, 'utf8')];
    expect(seed.lines[0]).toMatchObject({
      public_key: agentKeyFromSeed(seedText).publicKey,
      key_file: seedFile,
      format: 'seed',
    });
    expect(pem.lines[0].public_key).toBe(agentKeyFromPem(pemText).publicKey);
    expect(seed.stdout).not.toContain(seedText.trim());
    for (const file of [seedFile, pemFile]) expect((await stat(file)).mode & 0o777).toBe(0o600);

    const again = await cli(['keys', 'generate', '--out', seedFile]);
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--force') });
    expect(await readFile(seedFile, 'utf8')).toBe(seedText);
    await chmod(seedFile, 0o644);
    const forced = await cli.here(['keys', 'generate', '--out', seedFile, '--force']);
    expect(forced).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Public key +[\w-]{43}\n/) });
    expect(await readFile(seedFile, 'utf8')).not.toBe(seedText);
    expect((await stat(seedFile)).mode & 0o777).toBe(0o600);
    expect(execFileSync('ls', ['-A', join(seedFile, '..')]).toString()).toBe('agent.seed\n');
  });
});

describe('profiles', () => {
  it('gives an option precedence over the environment, and that over the profile', async () => {
    const set = await cli([
      'profiles',
      'set',
      '--profile',
      'p',
      '--kid',
      'from-profile',
      '--base-url',
      'http://127.0.0.1:1',
    ]);
    expect(set).toMatchObject({ code: 0 });
    await cli.here(['keys', 'generate', '--profile', 'p']);
    const challenge = (...args: string[]) => [
      ...['keys', 'prove', '--profile', 'p', '--agent-id', 'agt_x'],
      ...args,
    ];
    const [proved, file, listed] = await Promise.all([
      cli.here(challenge('--challenge', 'hello')),
      readFile(join(cli.folder, 'p.json'), 'utf8'),
      cli.here(['profiles', 'list', '--json']),
    ]);
    // Found key and kid, and refuses to sign what is no challenge.
    expect(proved).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('challenge') });
    expect(JSON.parse(file)).toEqual({ kid: 'from-profile', base_url: 'http://127.0.0.1:1' });
    expect(listed.lines).toEqual([{ profiles: ['p'] }]);

    await cli.here(['profiles', 'set', '--profile', 'p', '--key-file', 'keys/agent.seed']);
    const kept = JSON.parse(await readFile(join(cli.folder, 'p.json'), 'utf8'));
    expect(kept.key_file).toBe(resolve('keys/agent.seed'));

    await writeFile(join(cli.folder, 'broken.json'), '{', { mode: 0o644 });
    const [env, broken, escaping, gone, unseen] = await Promise.all([
      cli.here(['wallet', 'connect-key', '--profile', 'p', '--json'], {
        env: { PAYASSENT_BASE_URL: 'ftp://x', PAYASSENT_DEVICE_TOKEN: 'x' },
      }),
      cli.here(['profiles', 'show', '--profile', 'broken', '--json']),
      cli.here(['profiles', 'show', '--profile', '../p']),
      cli.here(['profiles', 'delete', '--profile', 'nobody', '--json']),
      cli.here(['profiles', 'show', '--profile', 'nobody', '--json']),
    ]);
    expect(env).toMatchObject({ code: 2 });
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('chmod 600') });
    expect(broken.lines[0].error.code).toBe('profile_damaged');
    expect(escaping).toMatchObject({ code: 2 });
    for (const { code, lines } of [gone, unseen])
      expect([code, lines[0].error.code]).toEqual([1, 'profile_not_found']);
  });
});
