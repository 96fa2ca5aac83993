// Slow: types the host's guide at machines made of network namespaces.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@payassent/proof/surroundings/certificates';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from './guides/blocks.ts';

const HOSTS = `127.0.0.1 localhost
10.17.0.1 smtp.example.com
10.17.0.11 db1.internal
10.17.0.12 db2.internal
10.17.0.21 app1.internal
10.17.0.22 app2.internal
10.17.0.30 proxy.internal pay.example.com
`;
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const POSTGRES = '/usr/lib/postgresql';
const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).filter((name) => Number(name) >= 15) : [];

/** Why it cannot be done here. */
function missing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  const programs = {
    '/usr/bin/caddy': 'caddy',
    '/usr/bin/pg_createcluster': 'postgresql',
    '/sbin/ip': 'iproute2',
  };
  const absent = Object.entries(programs).filter(([path]) => !existsSync(path));
  if (absent.length > 0) return `not installed: ${absent.map(([, name]) => name).join(', ')}`;
  if (versions.length === 0) return 'not installed: postgresql 15 or newer';
  const trial = `mount -t tmpfs tmpfs /mnt && mkdir /mnt/a /mnt/b /mnt/c &&
    mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/a,workdir=/mnt/b /mnt/c &&
    ip link add lan type bridge && ip link add one type veth peer name two`;
  const { status, stderr } = spawnSync('unshare', [...NAMESPACES, 'sh', '-c', trial], { encoding: 'utf8' });
  return status === 0 ? undefined : `this kernel does not let it make machines: ${stderr}`;
}

describe('quick start for hosts', () => {
  const reason = missing();
  if (reason !== undefined) {
    it(`on dedicated machines is left out here: ${reason}`, () => {
      expect(reason).toBeTruthy();
    });
    return;
  }

  it('two services, PostgreSQL with a standby, TLS and mail: every command of the page, a payment, a failover', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payassent-quick-start-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    const authority = await createAuthority();
    const files: Record<string, string> = { hosts: HOSTS, 'authority.crt': authority.cert };
    for (const [name, host] of [
      ['pay', 'pay.example.com'],
      ['smtp', 'smtp.example.com'],
    ] as const) {
      const { key, cert } = await authority.issue([host]);
      Object.assign(files, { [`${name}.key`]: key, [`${name}.crt`]: cert });
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const here = join(ROOT, 'cli/test/quick-start');
    const vitest = [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      join(here, 'vitest.config.ts'),
    ];
    const command = ['bash', join(here, 'network.sh'), folder, process.execPath, ...vitest];
    const child = spawn('unshare', [...NAMESPACES, ...command], {
      env: {
        PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
        HOME: folder,
        NODE_EXTRA_CA_CERTS: join(folder, 'authority.crt'),
        QUICK_START_FOLDER: folder,
        QUICK_START_POSTGRES: versions.sort((a, b) => Number(b) - Number(a))[0],
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    await once(child, 'close');
    expect(child.exitCode, output).toBe(0);
  }, 3_000_000);
});
