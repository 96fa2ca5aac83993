import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from './guides/blocks.ts';

const script = new URL('../../scripts/release.mjs', import.meta.url);
const { releaseFaults } = (await import(script.href)) as {
  releaseFaults(root: string, options?: { isFinal?: boolean }): string[];
};

const manifest = (root: string, file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { workspaces } = manifest(ROOT, 'package.json') as { workspaces: string[] };
const FILES = [
  ...['', ...workspaces, ...['express', 'next', 'mcp'].map((name) => `cli/templates/${name}`)].map((folder) =>
    join(folder, 'package.json'),
  ),
  'cli/server.json',
  'package-lock.json',
  'CHANGELOG.md',
];

/** The manifests of this checkout in a folder in which they may be changed. */
function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payassent-release-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  return folder;
}

it('the dry run of a release packs every package, writes the SBOM and lists what a person has to run', () => {
  const output = execFileSync(process.execPath, [script.pathname], { cwd: ROOT, encoding: 'utf8' });
  expect(output.match(/^packed payassent\S*\.tgz, \d+ bytes$/gm)).toHaveLength(4);
  expect(output).toContain('SBOM written, every licence accepted');
  expect(output).toMatch(/git tag --sign v\d+\.\d+\.\d+\n(?: {2}npm publish \.\/\w+ --provenance.*\n){4}/);
});

it('a release with another version, an unknown address or a missing section of the changelog is refused', () => {
  const folder = copy();
  expect(releaseFaults(folder)).toEqual([]);
  const change = (file: string, by: (value: Record<string, unknown>) => object) =>
    writeFileSync(join(folder, file), JSON.stringify(by(manifest(folder, file))));
  change('sdk/package.json', (sdk) => ({ ...sdk, version: '0.0.9', repository: undefined }));
  change('cli/package.json', (cli) => ({ ...cli, dependencies: { '@payassent/sdk': '0.0.9' } }));
  change('cli/server.json', (server) => ({ ...server, version: '0.0.9', name: 'example.other/payassent' }));
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 0.0.9\n');
  const faults = releaseFaults(folder).join('\n');
  expect(faults).toContain('sdk/package.json: version 0.0.9');
  expect(faults).toContain('sdk/package.json: no homepage, repository or bugs');
  expect(faults).toContain('cli/package.json: @payassent/sdk 0.0.9');
  expect(faults).toContain('cli/server.json: version 0.0.9');
  expect(faults).toContain('cli/server.json: names another package than cli/package.json');
  expect(faults).toContain('CHANGELOG.md: does not begin with Unreleased');
});

it('a final release takes no placeholder for an address', () => {
  expect(
    releaseFaults(ROOT, { isFinal: true }).filter((fault) => fault.includes('payassent.example')),
    // Every manifest, and the description for the registry of MCP servers.
  ).toHaveLength(workspaces.length + 2);
});
