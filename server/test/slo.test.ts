import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serviceForTest } from '@payassent/proof/service/service';
import { HAS_PROMETHEUS, promtool } from '@payassent/proof/surroundings/prometheus';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(at(path), 'utf8');

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  annotations?: { runbook_url: string };
}

const RULES = (
  parseYaml(read('deploy/prometheus/slo.yml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap(({ rules }) => rules);
const ALERTS = RULES.filter(({ alert }) => alert !== undefined);

describe('the rules of service level objectives', () => {
  it('name only metrics that the service has, and ratios that are recorded', async () => {
    const service = await serviceForTest({ jobs: false });
    await service.call('GET', '/v1/errors');
    const { text } = await service.call('GET', '/metrics');
    const metrics = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const recorded = new Set(RULES.map(({ record }) => record));
    const all = RULES.map(({ expr }) => expr).join('\n');
    const named = [...all.matchAll(/\bsvc_[a-z_]+\b/g)].map(([name]) =>
      name.replace(/_(?:bucket|count)$/, ''),
    );
    expect(named.filter((name) => !metrics.has(name))).toEqual([]);
    const ratios = [...all.matchAll(/payassent:\w+:\w+/g)].map(([name]) => name);
    expect(ratios.filter((name) => !recorded.has(name))).toEqual([]);
    // What counts as slow is an edge of the histogram.
    for (const [, edge = ''] of all.matchAll(/le="([^"]+)"/g)) expect(text).toContain(`le="${edge}"`);
  });

  it('page someone who finds a section of the manual behind the link, with the objective in it', () => {
    const manual = read('docs/operators/slo.md');
    expect(ALERTS).toHaveLength(6);
    for (const { annotations, expr } of ALERTS) {
      const [, section = ''] = /\/docs\/operators\/slo#(\w+)"?$/.exec(annotations?.runbook_url ?? '') ?? [];
      const [, text = ''] = new RegExp(`^## ${section}$([^]*?)(?=^## |$(?![^]))`, 'im').exec(manual) ?? [];
      expect(text, section).toContain('**Do.**');
      const [, budget = ''] = /> [\d.]+ \* ([\d.]+)/.exec(expr) ?? [];
      expect(text, section).toContain(`${Math.round((1 - Number(budget)) * 10_000) / 100} %`);
    }
  });

  it.runIf(HAS_PROMETHEUS)(
    'fire at their pace and not before (needs the programs prometheus and promtool)',
    () => {
      for (const args of [
        ['check', 'rules', at('deploy/prometheus/slo.yml')],
        ['test', 'rules', at('deploy/prometheus/slo.test.yml')],
      ]) {
        const { code, output } = promtool(args);
        expect(code, output).toBe(0);
      }
    },
  );
});
