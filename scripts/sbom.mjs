/**
 * What the installed command is made of, the pages that are built into it included: a CycloneDX list of components, and
 * the licences of all of them. Written to `sbom/`, or the folder that is named; ends with 1 when a licence is not among
 * those that the project accepts. Read from the lock file: `npm sbom --omit dev` leaves out what a tool needs as well.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  'OFL-1.1',
  'PostgreSQL',
  'Unlicense',
];
/** Workspaces whose `dependencies` are shipped; compiler, bundler and tests are not. */
const SHIPPED = ['cli', 'server', 'web'];
/** Build the pages and stay behind. */
const BUILDERS = ['vite', 'marked'];

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'sbom'));
const read = (name) => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
const { packages } = read('package-lock.json');

/** In Node's order: next to the package, then in each folder above. */
function find(from, name) {
  for (let place = from; ; place = place.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const key = path.posix.join(place, 'node_modules', name);
    if (packages[key]) return packages[key].link ? packages[key].resolved : key;
    if (place === '') return undefined;
    if (!place.includes('node_modules/')) place = '';
  }
}

const needs = ({ dependencies, optionalDependencies, peerDependencies }) =>
  Object.keys({ ...peerDependencies, ...dependencies, ...optionalDependencies }).filter(
    (name) => !BUILDERS.includes(name),
  );

/** Every package that is reached from those, with what it needs itself. */
const reached = new Map();
const open = [...SHIPPED];
for (let key = open.pop(); key !== undefined; key = open.pop()) {
  if (reached.has(key)) continue;
  const needed = needs(packages[key]).flatMap((name) => find(key, name) ?? []);
  reached.set(key, needed);
  open.push(...needed);
}

const nameOf = (key) => packages[key].name ?? key.split('node_modules/').at(-1);
const purlOf = (key) => `pkg:npm/${nameOf(key).replace('@', '%40')}@${packages[key].version}`;
const licenceOf = (key) => packages[key].license ?? read(path.join(key, 'package.json')).license ?? 'unknown';

const components = [...reached.keys()].map((key) => {
  const [, algorithm, digest] = /^sha(\d+)-(.*)$/.exec(packages[key].integrity ?? '') ?? [];
  return {
    'bom-ref': purlOf(key),
    type: 'library',
    name: nameOf(key),
    version: packages[key].version,
    purl: purlOf(key),
    licenses: [{ expression: licenceOf(key) }],
    ...(digest && {
      hashes: [{ alg: `SHA-${algorithm}`, content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
  };
});
/** Copied into the repository with changes; npm does not see it. */
components.push({
  'bom-ref': 'pkg:npm/postgres@3.4.9',
  type: 'library',
  name: 'postgres',
  version: '3.4.9',
  purl: 'pkg:npm/postgres@3.4.9',
  licenses: [{ expression: 'Unlicense' }],
  description: 'vendored with changes in server/vendor/postgres',
});
// The same version may be installed at several places.
const unique = [...new Map(components.map((each) => [each.purl, each])).values()].sort((a, b) =>
  a.purl < b.purl ? -1 : 1,
);
const dependsOn = new Map();
for (const [key, needed] of reached)
  dependsOn.set(purlOf(key), [...new Set([...(dependsOn.get(purlOf(key)) ?? []), ...needed.map(purlOf)])]);

const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': 'payassent',
      name: 'payassent',
      version: packages.cli.version,
    },
  },
  components: unique,
  dependencies: [...dependsOn].map(([ref, needed]) => ({ ref, dependsOn: needed })),
};

/** Of a choice one must do, of a list all. */
const isAccepted = (text) =>
  text
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ACCEPTED.includes(one.trim())));

const rows = unique.map(({ name, version, licenses }) => [name, version, licenses[0].expression]);
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
