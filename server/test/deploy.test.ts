import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, serviceForTest } from '@payassent/proof/service/service';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CONFIG_VARIABLES, parseConfig } from '../src/config/index.ts';
import { FILE_VARIABLES } from '../src/config/reader.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');
const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');
const FILES = readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

/** `NAME=value` of an ENV instruction that goes over several lines. */
function imageSettings(): Record<string, string> {
  const [, text = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(read('Dockerfile')) ?? [];
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

const SECRETS: Readonly<Record<string, string>> = {
  database_url: 'postgres://payassent:secret@database/payassent',
  master_key: Buffer.alloc(32, 7).toString('base64'),
  smtp_url: 'smtps://mail.example',
  metrics_token: 'metrics',
};

/** The settings as the service in the container reads them; secrets are in files of a folder here. */
function configOf(settings: Record<string, string>, image = imageSettings()) {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, value] of Object.entries(SECRETS)) writeFileSync(join(folder, name), `${value}\n`);
  const here = Object.entries({ ...image, ...settings }).map(([name, value]) => [
    name,
    String(value)
      .replace('/run/secrets', folder)
      .replace(/\$\{PAYASSENT_HOST[^}]*\}/, 'pay.example'),
  ]);
  return parseConfig(Object.fromEntries(here));
}

it('every setting that is named in deploy/ is one that the service knows', () => {
  const known = new Set([...Object.keys(CONFIG_VARIABLES), ...FILE_VARIABLES]);
  const unknown = FILES.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(SVC_[A-Z_]+[A-Z]|DATABASE_URL[A-Z_]*)\b/g)]
      .filter(([name]) => !known.has(name))
      .map(([name]) => `${file}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

describe('the image', () => {
  const text = read('Dockerfile');

  it('is built in stages from named versions, runs as an ordinary user, and has no secret in it', () => {
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base);
    expect(bases.length).toBeGreaterThan(2);
    for (const base of bases) expect(base).toMatch(/:\d+\.\d+\.\d+/);
    expect(text).not.toMatch(/:latest|^ADD |sudo|curl .*\|/m);
    const last = text.slice(text.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER 10001:10001$/m);
    expect(last.indexOf('USER')).toBeLessThan(last.indexOf('ENTRYPOINT'));
    expect(last).toMatch(/^VOLUME \["\/var\/lib\/payassent"\]$/m);
    expect(last).toMatch(/^ENTRYPOINT \[/m);
    expect(last).not.toContain('npm ');
    for (const name of Object.keys(imageSettings())) expect(name).not.toMatch(/(KEY|TOKEN|PASSWORD|_URL)$/);
    const [, main = ''] = /"\/app\/node_modules\/payassent\/([^"]+)"/.exec(last) ?? [];
    expect(existsSync(join(ROOT, 'cli', main))).toBe(true);
  });

  it('is built from a working tree without what builds leave behind and without what may be secret', () => {
    const rules = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((rule) => {
        const [, anywhere = '', rest = ''] = /^(\*\*\/)?(.*)$/.exec(rule) ?? [];
        const name = rest.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
        return new RegExp(`^${anywhere && '(.*/)?'}${name}(/|$)`);
      });
    const isLeftOut = (path: string) => rules.some((rule) => rule.test(path));
    const secret = [
      '.env',
      '.env.production',
      'payassent.env',
      'deploy/compose/.env',
      'deploy/compose/secrets/master_key',
      'secrets/database_url',
      'server/data/master.key',
      'tls/server.pem',
      '.npmrc',
      'backups/monday.backup',
      '.git/config',
    ];
    // With one of these and without `dist`, the compiler takes what it needs for built.
    const left = ['server/tsconfig.tsbuildinfo', 'server/dist/main.js', 'cli/node_modules/x', 'npm.log'];
    expect([...secret, ...left].filter((path) => !isLeftOut(path))).toEqual([]);
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    expect(tracked.length).toBeGreaterThan(500);
    expect(tracked.filter(isLeftOut)).toEqual([]);
    const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').trim().split('\n');
    const like = (rule: string) => rule.replace(/^\//, '').replace('*', 'x').replace(/\/$/, '/x');
    expect(ignored.map(like).filter((path) => path !== '.DS_Store' && !isLeftOut(path))).toEqual([]);
  });

  it('has a health check that distinguishes a working service from none', async () => {
    const [, list = ''] = /HEALTHCHECK[\s\S]*?CMD (\[.*\])/.exec(text) ?? [];
    const check = async (port: number) => {
      const [, ...args] = (JSON.parse(list) as string[]).map((part) => part.replace(':8787', `:${port}`));
      return promisify(execFile)(process.execPath, args).then(
        () => 'healthy',
        () => 'unhealthy',
      );
    };
    const service = await serviceForTest({ jobs: false });
    expect(await check(Number(new URL(service.url).port))).toBe('healthy');
    expect(await check(await freePort())).toBe('unhealthy');
  });
});

describe('compose', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a file of many kinds of things
  const { services, secrets } = parseYaml(read('compose/compose.yml')) as any;

  it('gives two services settings that they start with, behind a proxy that they trust', () => {
    for (const name of ['payassent-1', 'payassent-2', 'migrate']) {
      const service = services[name];
      const config = configOf(service.environment);
      expect(config.baseUrl).toBe('https://pay.example');
      expect(config.warnings).toEqual([]);
      expect(config.migrates).toBe(name === 'migrate');
      expect(config.database.kind).toBe('server');
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
    expect(services['payassent-1'].volumes).not.toEqual(services['payassent-2'].volumes);
  });

  it('names versions of images, files that are there and secrets that are declared', () => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    for (const service of Object.values<any>(services)) {
      expect(service.image).toMatch(/:v?\d+\.\d+/);
      for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty(secret);
      for (const volume of (service.volumes ?? []) as string[]) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('.')) expect(existsSync(join(DEPLOY, 'compose', from)), from).toBe(true);
      }
    }
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const [job] = (parseYaml(read('compose/prometheus.yml')) as any).scrape_configs;
    expect(job.static_configs[0].targets).toEqual(['payassent-1:8787', 'payassent-2:8787']);
    expect(job.authorization.credentials_file).toBe(`/run/secrets/${services.prometheus.secrets[0]}`);
    expect(read('compose/Caddyfile')).toContain('{$PAYASSENT_SERVICES:payassent-1:8787 payassent-2:8787}');
  });
});

describe('systemd', () => {
  const file = join(DEPLOY, 'systemd/payassent.service');
  const isThere = existsSync('/usr/bin/systemd-analyze');

  it('runs as a dedicated user, with secrets from files, and does not try wrong settings again', () => {
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^User=payassent$/m);
    expect(text).toMatch(/^RestartPreventExitStatus=78$/m);
    const settings = [...text.matchAll(/^Environment=(SVC_\w+|DATABASE_URL_FILE)=(.*)$/gm)];
    const given = settings.map(([, name = '', value = '']) => [name, value.replace('%d', '/run/secrets')]);
    expect(configOf(Object.fromEntries(given), {}).dataDir).toBe('/var/lib/payassent');
  });

  it.runIf(isThere)(
    'is verified by systemd, which finds little exposed (needs the program systemd-analyze)',
    () => {
      const analyze = (...args: string[]) =>
        execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      analyze('verify', file);
      // Ends with 1 above 2.5 of 10.
      analyze('security', '--offline=true', '--threshold=25', file);
    },
  );
});

describe('the chart', () => {
  const folder = 'helm/payassent';
  const templates = readdirSync(join(DEPLOY, folder, 'templates')).map((name) =>
    read(`${folder}/templates/${name}`),
  );

  it('uses values that are there, parts that are defined, and balances its blocks', () => {
    // biome-ignore lint/suspicious/noExplicitAny: values of many kinds
    const values = parseYaml(read(`${folder}/values.yaml`)) as any;
    const all = templates.join('\n');
    for (const [, path = ''] of all.matchAll(/\.Values\.([\w.]+)/g)) expect(values).toHaveProperty(path);
    const defined = [...all.matchAll(/define "([^"]+)"/g)].map(([, name]) => name);
    for (const [, name] of all.matchAll(/include "([^"]+)"/g)) expect(defined).toContain(name);
    for (const text of templates) {
      expect(text.match(/\{\{/g)?.length ?? 0).toBe(text.match(/\}\}/g)?.length ?? 0);
      const opened = text.match(/\{\{-? (if|range|define|with) /g)?.length ?? 0;
      expect(text.match(/\{\{-? end -?\}\}/g)?.length ?? 0).toBe(opened);
    }
    expect(values.image.tag).toBe(JSON.parse(readFileSync(join(ROOT, 'cli/package.json'), 'utf8')).version);
    const settings = [...all.matchAll(/name: (SVC_\w+_FILE), value: (\S+) /g)];
    expect(settings.length).toBeGreaterThan(1);
    for (const [, , path = ''] of settings) expect(SECRETS).toHaveProperty(path.replace('/run/secrets/', ''));
  });

  /** With its values and every optional part, as far as this chart uses the language of templates. */
  // biome-ignore lint/suspicious/noExplicitAny: kinds of every shape
  function rendered(name: string): any[] {
    // biome-ignore lint/suspicious/noExplicitAny: values of many kinds
    const values = parseYaml(read(`${folder}/values.yaml`)) as any;
    const valueAt = (path: string) =>
      path
        .split('.')
        // biome-ignore lint/suspicious/noExplicitAny: as above
        .reduce<any>((value, key) => value[key], { Values: values, Release: { Name: 'pay' } });
    const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
    const fill = (text: string, dot?: unknown) =>
      text
        .replace(
          /\{\{ \(urlParse \.Values\.baseUrl\)\.host \| quote \}\}/g,
          JSON.stringify(new URL(values.baseUrl).host),
        )
        .replace(
          /\{\{-? toYaml \.([\w.]+) \| nindent \d+ \}\}/g,
          (_, path) => ` ${JSON.stringify(valueAt(path))}`,
        )
        .replace(/\{\{ \$?\.((?:Values|Release)\.[\w.]+)(?: \| quote)? \}\}/g, (_, path) =>
          shown(valueAt(path)),
        )
        .replace(/\{\{ \.(\w+) \}\}/g, (_, key) => shown((dot as Record<string, unknown>)[key]))
        .replace(/\{\{ \. \}\}/g, shown(dot));
    const listOf = (of: string): unknown[] =>
      of.startsWith('list ')
        ? [...of.matchAll(/"([^"]+)"|\.([\w.]+)/g)].map(([, text, path]) => text ?? valueAt(path ?? ''))
        : valueAt(of.slice(1));
    return read(`${folder}/templates/${name}`)
      .replace(/^ *\{\{- range ([^}]+) \}\}\n([\s\S]*?)^ *\{\{- end \}\}\n/gm, (_, of, body) =>
        listOf(of)
          .map((item) => fill(body, item))
          .join(''),
      )
      .replace(/^ *\{\{- (if|end|include)[^}]*\}\}\n?/gm, '')
      .split(/^---$/m)
      .map((text) => parseYaml(fill(text)));
  }

  it('spreads pods over machines and zones, and lets Prometheus find them', () => {
    const [deployment, service] = rendered('deployment.yaml');
    const { labels } = deployment.spec.template.metadata;
    const spread = deployment.spec.template.spec.topologySpreadConstraints;
    expect(spread.map(({ topologyKey }: { topologyKey: string }) => topologyKey)).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
    for (const { labelSelector, maxSkew } of spread)
      expect([labelSelector.matchLabels, maxSkew]).toEqual([labels, 1]);
    const [monitor] = rendered('servicemonitor.yaml');
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    const [endpoint] = monitor.spec.endpoints;
    expect(endpoint).toMatchObject({ port: service.spec.ports[0].name, path: '/metrics' });
    expect(SECRETS).toHaveProperty(endpoint.authorization.credentials.key);
  });

  it('exposes its health, its readiness and its metrics to no one outside', () => {
    const [ingress, closed] = rendered('ingress.yaml');
    const { paths } = ingress.spec.rules[0].http;
    const leadsNowhere = paths.filter(
      // biome-ignore lint/suspicious/noExplicitAny: as above
      ({ pathType, backend }: any) => pathType === 'Exact' && backend.service.name === closed.metadata.name,
    );
    expect(leadsNowhere.map(({ path }: { path: string }) => path)).toEqual(['/health', '/ready', '/metrics']);
    expect(closed.kind).toBe('Service');
    expect(closed.spec).not.toHaveProperty('selector');
    expect(paths).toHaveLength(4);
  });

  it('lets only the ingress and Prometheus in, and out to what the service calls', () => {
    const [policy] = rendered('networkpolicy.yaml');
    const [deployment] = rendered('deployment.yaml');
    expect(policy.spec.podSelector.matchLabels).toEqual(deployment.spec.template.metadata.labels);
    expect(policy.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    const [{ from, ports }] = policy.spec.ingress;
    expect(
      // biome-ignore lint/suspicious/noExplicitAny: as above
      from.map((each: any) => each.namespaceSelector.matchLabels['kubernetes.io/metadata.name']),
    ).toEqual(['ingress-nginx', 'monitoring']);
    expect(ports).toEqual([{ protocol: 'TCP', port: 'http' }]);
    const [out] = policy.spec.egress;
    expect(out.to[0].ipBlock.except).toContain('169.254.0.0/16');
    expect(out.ports).toContainEqual({ protocol: 'TCP', port: 5432 });
    expect(out.ports).toContainEqual({ protocol: 'UDP', port: 53 });
  });
});
