import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses: { expression: string }[];
}

/** They build the pages, which are shipped built. */
const BUILDS_PAGES = ['vite', 'marked'];

describe('the list of components', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sbom-'));
  execFileSync(process.execPath, [join(ROOT, 'scripts/sbom.mjs'), folder], { stdio: 'ignore' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const bom = JSON.parse(read('payassent.cdx.json'));
  const licences = read('LICENCES.md');
  rmSync(folder, { recursive: true });
  const components: Component[] = bom.components;

  it('is CycloneDX: each component once, with name, version, address and licence, and a graph of known parts', () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
    const refs = components.map((each) => (each as unknown as Record<string, string>)['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { name, version, purl, licenses } of components) {
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
      expect(licenses).toEqual([{ expression: expect.stringMatching(/^[\w.() -]+$/) }]);
      expect(licences).toContain(`| ${name} | ${version} | ${licenses[0]?.expression} |`);
    }
    for (const { ref, dependsOn } of bom.dependencies)
      expect([ref, ...dependsOn].filter((each) => !refs.includes(each))).toEqual([]);
  });

  it('names everything that is shipped: what the packages need, and what that needs, in a version of the lock file', () => {
    const { packages } = readJson('package-lock.json') as {
      packages: Record<string, { version: string; dependencies?: object; optionalDependencies?: object }>;
    };
    const named = new Set(components.map(({ name }) => name));
    const locked = Object.entries(packages).map(([key, each]) => ({
      ...each,
      name: key.split('node_modules/').at(-1) ?? '',
    }));
    const needed = ['cli', 'server', 'web'].flatMap((name) =>
      Object.keys(readJson(name, 'package.json').dependencies).filter((each) => !BUILDS_PAGES.includes(each)),
    );
    const isShipped = ({ name, version }: { name: string; version: string }) =>
      components.some((each) => each.name === name && each.version === version);
    for (const each of locked.filter(isShipped))
      needed.push(...Object.keys({ ...each.dependencies, ...each.optionalDependencies }));
    expect(needed.length).toBeGreaterThan(100);
    expect(needed.filter((name) => !named.has(name))).toEqual([]);
    const own = (name: string) => /^(@payassent\/|payassent$)/.test(name);
    const vendored = 'postgres';
    expect(
      components.filter(
        ({ name, version }) =>
          !own(name) && name !== vendored && !locked.some((l) => l.name === name && l.version === version),
      ),
    ).toEqual([]);
    const [part] = components.filter(({ name }) => name === vendored);
    expect(readFileSync(join(ROOT, 'server/vendor/postgres/README.md'), 'utf8')).toContain(part?.version);
  });
});

describe('the workflow', () => {
  interface Job {
    strategy?: { matrix: { node: string[] } };
    steps: { run?: string }[];
  }
  const workflow = parseYaml(readFileSync(join(ROOT, '.github/workflows/check.yml'), 'utf8')) as {
    jobs: Record<string, Job>;
  };
  const { scripts } = readJson('package.json') as { scripts: Record<string, string> };
  const runs = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

  it('runs what everybody runs: scripts that exist, and the same check', () => {
    expect(runs).toContain('.ci/run');
    accessSync(join(ROOT, '.ci/run'), constants.X_OK);
    const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
    const called = [...runs, ci].flatMap((text) => [...text.matchAll(/npm run ([\w:-]+)/g)]);
    expect(called.length).toBeGreaterThan(2);
    expect(called.filter(([, name = '']) => !scripts[name])).toEqual([]);
    const files = Object.values(scripts).flatMap((text) => [...text.matchAll(/node (scripts\/\S+)/g)]);
    expect(files.filter(([, file = '']) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('tries every supported version of Node.js, and the script of the matrix knows them', () => {
    const matrix = readFileSync(join(ROOT, 'scripts/matrix.mjs'), 'utf8');
    const versions = workflow.jobs['matrix']?.strategy?.matrix.node ?? [];
    expect(versions).toEqual(['20.19', '22', '24', '26']);
    expect(versions.filter((version) => !matrix.includes(`'${version}`))).toEqual([]);
    expect(readJson('package.json').engines.node).toBe(`>=${versions[0]}`);
  });
});
