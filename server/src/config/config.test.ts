import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatVerifierKey } from '@payassent/protocol/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, describeConfig, type Env, parseConfig } from './index.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('configuration', () => {
  it('works with nothing set', () => {
    const config = parseConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      baseUrl: 'http://127.0.0.1:8787',
      baseUrlIsLoopback: true,
      database: { kind: 'embedded' },
      enabledNetworks: ['stellar_testnet'],
      dbPool: 8,
      workers: 1,
      rateLimits: {},
    });
  });

  it('reads a file of settings below the environment, and names each line that is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'config-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'payassent.env');
    await writeFile(
      file,
      '# ours\n\nSVC_PORT=9001\nexport SVC_WORKERS="3"\nSVC_MAIL_FROM=\'A <a@b.example>\'\n',
    );
    const env = { SVC_CONFIG_FILE: file, SVC_PORT: '9002', SVC_WORKERS: '' };
    expect(parseConfig(env)).toMatchObject({ port: 9002, workers: 3, mailFrom: 'A <a@b.example>' });
    await writeFile(file, 'SVC_PROT=1\nPATH=/bin\nsecret words\nSVC_PORT=1\nSVC_PORT=2\n');
    const faults = faultsOf({ SVC_CONFIG_FILE: file });
    expect(faults).toEqual([
      expect.stringContaining('line 2, is no setting'),
      expect.stringContaining('line 3, is no setting'),
      expect.stringContaining('line 5, sets SVC_PORT again'),
      expect.stringContaining('SVC_PROT is not a variable'),
    ]);
    expect(faults.join()).not.toContain('secret words');
    expect(faultsOf({ SVC_CONFIG_FILE: join(folder, 'gone') })).toEqual([expect.stringContaining('ENOENT')]);
  });

  it('turns rate limits on away from loopback', () => {
    expect(parseConfig({ SVC_BASE_URL: 'https://pay.example' }).rateLimits).toMatchObject({
      create: { count: 60, periodS: 60 },
    });
  });

  it('makes new agents prove their key away from loopback, and takes the setting everywhere', () => {
    const required = (env: Env) => parseConfig(env).newAgentsRequireProof;
    const SVC_BASE_URL = 'https://pay.example';
    expect([required({}), required({ SVC_BASE_URL })]).toEqual([false, true]);
    expect(required({ SVC_REQUIRE_PROOF: 'new_agents' })).toBe(true);
    expect(required({ SVC_BASE_URL, SVC_REQUIRE_PROOF: 'never' })).toBe(false);
    expect(faultsOf({ SVC_REQUIRE_PROOF: 'always' })).toEqual([expect.stringContaining('new_agents, never')]);
  });

  it('guards changed payees away from loopback, and takes the setting everywhere', () => {
    const change = (env: Env) => parseConfig(env).payeeChange;
    const SVC_BASE_URL = 'https://pay.example';
    expect([change({}), change({ SVC_BASE_URL })]).toEqual(['open', 'guarded']);
    expect(change({ SVC_PAYEE_CHANGE: 'guarded' })).toBe('guarded');
    expect(change({ SVC_BASE_URL, SVC_PAYEE_CHANGE: 'open' })).toBe('open');
    expect(faultsOf({ SVC_PAYEE_CHANGE: 'never' })).toEqual([expect.stringContaining('guarded, open')]);
  });

  it('takes origins of pages as browsers write them, and no wildcard', () => {
    const origins = (text: string) => parseConfig({ SVC_CORS_ORIGINS: text }).corsOrigins;
    expect(parseConfig({}).corsOrigins).toEqual([]);
    expect(origins('https://app.example, http://localhost:3000,https://b.example:8443')).toEqual([
      'https://app.example',
      'http://localhost:3000',
      'https://b.example:8443',
    ]);
    for (const wrong of [
      '*',
      'null',
      'https://*.app.example',
      'https://app.example/',
      'https://app.example/path',
      'https://App.example',
      'https://app.example:443',
      'https://user@app.example',
      'http://app.example',
      'app.example',
      'chrome-extension://abc',
    ])
      expect(faultsOf({ SVC_CORS_ORIGINS: wrong }), wrong).toEqual([
        `SVC_CORS_ORIGINS has "${wrong}": each entry must be an https origin (http on loopback) as browsers send it, such as https://app.example: no *, path or final slash.`,
      ]);
  });

  it('changes named limits and leaves the others on', () => {
    const { rateLimits } = parseConfig({ SVC_RATE_LIMITS: 'create=5/s, reads=1000/min' });
    expect(rateLimits.create).toMatchObject({ count: 5, periodS: 1 });
    expect(rateLimits.token).toMatchObject({ count: 20, periodS: 60 });
  });

  it('reads witnesses of the log by key and address, and no key that is none of a witness', () => {
    const key = { name: 'w.example', publicKey: new Uint8Array(32).fill(1) };
    const witness = formatVerifierKey({ ...key, kind: 'cosignature' });
    const { logWitnesses } = parseConfig({ SVC_LOG_WITNESSES: `${witness} https://w.example/w/` });
    expect(logWitnesses).toMatchObject([{ vkey: witness, url: 'https://w.example/w' }]);
    const log = formatVerifierKey({ ...key, kind: 'signature' });
    for (const wrong of [log, `${witness} ftp://w.example`, `${log} https://w.example`])
      expect(faultsOf({ SVC_LOG_WITNESSES: wrong })[0]).toContain('verifier key of a witness');
    const twice = `${witness} https://a.example, ${witness} https://b.example`;
    expect(faultsOf({ SVC_LOG_WITNESSES: twice })[0]).toContain('names w.example twice');
  });

  it('reads the sources of each chain, and repeats no address, which may carry a key', () => {
    const setting =
      'stellar_testnet=https://a.example/|http://u:p%40ss@10.0.0.7:8000/h?key=k3y, base_mainnet=https://b.example';
    const { observe } = parseConfig({ SVC_OBSERVE: setting });
    expect([...observe.keys()]).toEqual(['stellar_testnet', 'base_mainnet']);
    const [first, second] = observe.get('stellar_testnet') ?? [];
    expect(first?.url.reveal()).toBe('https://a.example');
    expect(second?.url.reveal()).toBe('http://10.0.0.7:8000/h?key=k3y');
    expect(second?.authorization?.reveal()).toBe(`Basic ${Buffer.from('u:p@ss').toString('base64')}`);
    for (const [wrong, why] of [
      ['solana_mainnet=https://k3y.example', 'no network that can be observed'],
      ['https://k3y.example', 'no network that can be observed'],
      ['stellar_testnet=', 'no usable address for stellar_testnet (number 1)'],
      ['stellar_testnet=https://a.example|k3y.example', 'no usable address for stellar_testnet (number 2)'],
      ['stellar_testnet=ftp://k3y.example', 'no usable address for stellar_testnet (number 1)'],
      [
        'stellar_testnet=https://k3y.example|https://k3y.example',
        'the same address twice for stellar_testnet',
      ],
      [
        'stellar_testnet=https://k3y.example,stellar_testnet=https://b.example',
        'names stellar_testnet twice',
      ],
    ] as const) {
      const faults = faultsOf({ SVC_OBSERVE: wrong });
      expect(faults[0], wrong).toContain(why);
      expect(faults.join()).not.toContain('k3y');
    }
  });

  it('puts caps on away from loopback, and changes the named ones only', () => {
    expect(parseConfig({}).caps.pendingRequests).toBe(Number.POSITIVE_INFINITY);
    expect(parseConfig({ SVC_BASE_URL: 'https://pay.example' }).caps).toEqual({
      pendingRequests: 10_000,
      openPolicies: 100,
      connectKeys: 20,
      codes: 20,
      endpointDeliveries: 100_000,
    });
    expect(parseConfig({ SVC_CAPS: 'connect_keys=3, codes=4' }).caps).toMatchObject({
      connectKeys: 3,
      codes: 4,
      openPolicies: 100,
    });
  });

  it('warns of an https base URL without a word about its proxy, and of nothing else', () => {
    const warningsFor = (env: Record<string, string>) => parseConfig(env).warnings;
    expect(warningsFor({ SVC_BASE_URL: 'https://pay.example' })).toEqual([
      expect.stringMatching(/^SVC_TRUSTED_PROXIES is not set.*"none"/),
    ]);
    expect(warningsFor({})).toEqual([]);
    for (const [text, proxies] of [
      ['none', []],
      ['10.0.0.0/8', ['10.0.0.0/8']],
    ] as const) {
      const env = { SVC_BASE_URL: 'https://pay.example', SVC_TRUSTED_PROXIES: text };
      expect(parseConfig(env)).toMatchObject({ warnings: [], trustedProxies: proxies });
    }
  });

  it('accepts a bind to other machines only under a public base URL', () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.7', 'pay.internal'])
      expect(faultsOf({ SVC_HOST: host })).toEqual([
        expect.stringMatching(/^SVC_HOST .*set SVC_BASE_URL to the public https address/),
      ]);
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
      expect(faultsOf({ SVC_HOST: host })).toEqual([]);
    expect(faultsOf({ SVC_HOST: '0.0.0.0', SVC_BASE_URL: 'https://pay.example' })).toEqual([]);
  });

  it('drops a trailing slash of the base URL', () => {
    expect(parseConfig({ SVC_BASE_URL: 'https://pay.example/' }).baseUrl).toBe('https://pay.example');
  });

  it.each<[string, Record<string, string>]>([
    ['SVC_PORT', { SVC_PORT: '70000' }],
    ['SVC_PORT', { SVC_PORT: '80 80' }],
    ['SVC_HOST', { SVC_HOST: 'a b' }],
    ['SVC_BASE_URL', { SVC_BASE_URL: 'pay.example' }],
    ['SVC_BASE_URL', { SVC_BASE_URL: 'https://pay.example/path' }],
    ['SVC_BASE_URL', { SVC_BASE_URL: 'http://pay.example' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x', SVC_MASTER_KEY: KEY }],
    ['SVC_MASTER_KEY', { DATABASE_URL: 'postgres://x/y' }],
    ['SVC_MASTER_KEY', { SVC_MASTER_KEY: 'short' }],
    ['SVC_LOG_WITNESSES', { SVC_LOG_WITNESSES: 'witness.example https://witness.example' }],
    ['SVC_OBSERVE', { SVC_OBSERVE: 'stellar_testnet' }],
    ['SVC_POLICY_SPEND', { SVC_POLICY_SPEND: 'observed' }],
    ['SVC_MASTER_KEY_PREVIOUS', { SVC_MASTER_KEY_PREVIOUS: `${KEY},short` }],
    ['SVC_SMTP_URL', { SVC_SMTP_URL: 'mail.example', SVC_MAIL_FROM: 'a@b.example' }],
    ['SVC_SMTP_URL', { SVC_SMTP_URL: 'smtp://mail.example?tls=no', SVC_MAIL_FROM: 'a@b.example' }],
    ['SVC_SECURITY_CONTACT', { SVC_SECURITY_CONTACT: 'security@pay.example' }],
    ['SVC_MAIL_FROM', { SVC_SMTP_URL: 'smtp://mail.example' }],
    ['SVC_TRUSTED_PROXIES', { SVC_TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['SVC_ALLOW_UNSAFE_DURABILITY', { SVC_ALLOW_UNSAFE_DURABILITY: 'yes' }],
    ['SVC_DB_POOL', { SVC_DB_POOL: '1' }],
    ['SVC_DNS_SERVERS', { SVC_DNS_SERVERS: 'resolver:port' }],
    ['SVC_ENABLED_NETWORKS', { SVC_ENABLED_NETWORKS: 'stellar' }],
    ['SVC_RATE_LIMITS', { SVC_RATE_LIMITS: 'create=many' }],
    ['SVC_CAPS', { SVC_CAPS: 'codes=0' }],
    ['SVC_CAPS', { SVC_CAPS: 'many=3' }],
    ['SVC_WORKERS', { SVC_WORKERS: '-1' }],
    ['SVC_LOG_LEVEL', { SVC_LOG_LEVEL: 'loud' }],
    ['SVC_DATADIR', { SVC_DATADIR: '/x' }],
  ])('names %s when it is wrong (%o)', (name, env) => {
    const faults = faultsOf(env);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name}\\b`));
  });

  it('lists every error together', () => {
    const faults = faultsOf({ SVC_PORT: 'x', SVC_WORKERS: 'x', SVC_LOG_LEVEL: 'x', SVC_NONSENSE: 'x' });
    expect(faults).toHaveLength(4);
  });

  it('guesses what a misspelt name meant', () => {
    expect(faultsOf({ SVC_DATADIR: '/x' })[0]).toContain('SVC_DATA_DIR');
  });

  it('never prints a secret', () => {
    const config = parseConfig({
      DATABASE_URL: 'postgres://user:pa55word@db.example/pay',
      SVC_MASTER_KEY: KEY,
      SVC_SMTP_URL: 'smtp://u:s3cret@mail.example',
      SVC_MAIL_FROM: 'a@b.example',
      SVC_METRICS_TOKEN: 'm3trics',
      SVC_OBSERVE: 'stellar_testnet=https://k3y.example/k3y?token=k3y',
    });
    for (const text of [
      JSON.stringify(describeConfig(config)),
      JSON.stringify(config),
      `${Object.values(config)}`,
    ]) {
      for (const secret of ['pa55word', KEY, 's3cret', 'm3trics', 'k3y']) expect(text).not.toContain(secret);
    }
    const faults = faultsOf({ DATABASE_URL: 'mysql://user:pa55word@db', SVC_MASTER_KEY: KEY }).join();
    expect(faults).not.toContain('pa55word');
  });
});

describe('a secret', () => {
  it('may be in a file, named by <variable>_FILE', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-secret-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'secret');
    const url = 'postgres://app:hidden@db/pay';
    await writeFile(file, `${url}\n`);
    const env = { DATABASE_URL_FILE: file, SVC_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
    const { database } = parseConfig(env);
    expect(database.kind === 'server' && database.url.reveal()).toBe(url);
    const withFile = (more: Env) => () => parseConfig({ ...env, ...more });
    expect(withFile({ DATABASE_URL: url })).toThrow(/both set/);
    expect(withFile({ SVC_SMTP_URL_FILE: join(folder, 'none') })).toThrow(/SVC_SMTP_URL_FILE.*ENOENT/);
    expect(withFile({ SVC_PORT_FILE: file })).toThrow(/SVC_PORT_FILE is not a variable/);
  });
});
