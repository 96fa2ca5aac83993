/**
 * What the installed command is made of: a CycloneDX list of components, and the licences of all of them. Written to
 * `sbom/`; ends with 1 when a licence is not among those that the project accepts.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ACCEPTED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Unlicense',
];

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.join(root, 'sbom');
/** Compiler, bundler and tests are not shipped. */
const args = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--omit',
  'dev',
  '--workspace',
  'cli',
  '--workspace',
  'server',
];
const bom = JSON.parse(
  execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);

/** Copied into the repository with changes; npm does not see it. */
bom.components.push({
  type: 'library',
  name: 'postgres',
  version: '3.4.9',
  purl: 'pkg:npm/postgres@3.4.9',
  licenses: [{ license: { id: 'Unlicense' } }],
  description: 'vendored with changes in server/vendor/postgres',
});

const licenceOf = ({ licenses = [] }) =>
  licenses.map((each) => each.expression ?? each.license?.id ?? each.license?.name).join(' AND ') ||
  'unknown';
/** Of a choice one must do, of a list all. */
const isAccepted = (text) =>
  text
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ACCEPTED.includes(one.trim())));

const rows = bom.components
  .map((component) => [
    component.group ? `${component.group}/${component.name}` : component.name,
    component.version,
    licenceOf(component),
  ])
  .sort(([a], [b]) => a.localeCompare(b));
const refused = rows.filter(([, , licence]) => !isAccepted(licence));
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'payassent.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`);
writeFileSync(
  path.join(folder, 'LICENCES.md'),
  `# Licences of what is installed\n\n| Package | Version | Licence |\n|---|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`,
);
process.stdout.write(
  `${rows.length} components; ${refused.length === 0 ? 'all licences are accepted' : 'not accepted:'}\n`,
);
for (const [name, version, licence] of refused) process.stdout.write(`  ${name}@${version}: ${licence}\n`);
process.exitCode = refused.length === 0 ? 0 : 1;
