import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../service/service.ts';

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

/** Tests that need them are left out, and listed as such, where Debian's package `prometheus` is not installed. */
export const HAS_PROMETHEUS = isThere('promtool') && isThere('prometheus');

/** The output of `promtool`, and its exit code. */
export function promtool(args: readonly string[], input = ''): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { code: status, output: `${stdout}${stderr}` };
}

interface Firing {
  alert: string;
  target: string;
}

export interface RunningPrometheus {
  /** Every alert that has fired since the start, and where. */
  fired(): Promise<readonly Firing[]>;
  close(): Promise<void>;
}

/** Short enough that a test need not wait for minutes; the true durations are tested by `promtool test rules`. */
const HURRIED: readonly [RegExp, string][] = [
  [/for: \w+/g, 'for: 1s'],
  [/\[5m\]/g, '[15s]'],
  [/offset 1h/g, 'offset 30s'],
];

/** A real Prometheus that scrapes these addresses every second, under the job that the rules expect. */
export async function startPrometheus(
  rules: string,
  targets: Readonly<Record<string, string>>,
): Promise<RunningPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-prometheus-'));
  const port = await freePort();
  const hurried = HURRIED.reduce((text, [from, to]) => text.replaceAll(from, to), rules);
  await writeFile(join(folder, 'alerts.yml'), hurried);
  const addresses = Object.entries(targets).map(([name, url]) => ({
    targets: [new URL(url).host],
    labels: { target: name },
  }));
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'alerts.yml')],
    scrape_configs: [{ job_name: 'payassent', static_configs: addresses }],
  };
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const names = new Map(Object.entries(targets).map(([name, url]) => [new URL(url).host, name]));
  const seen = new Map<string, Firing>();
  const look = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => undefined);
    if (!answer?.ok) return;
    const { data } = (await answer.json()) as { data: { alerts: Alert[] } };
    for (const { state, labels } of data.alerts) {
      const { alertname: alert, instance } = labels;
      const target = names.get(instance) ?? instance;
      if (state === 'firing') seen.set(`${alert} ${target}`, { alert, target });
    }
  };
  const timer = setInterval(() => void look(), 500);
  return {
    async fired() {
      await look();
      return [...seen.values()];
    },
    async close() {
      clearInterval(timer);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Alert {
  state: string;
  labels: { alertname: string; instance: string };
}
