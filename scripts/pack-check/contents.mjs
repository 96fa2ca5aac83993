import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CheckError } from '../processes.mjs';

const UNWANTED = /\.map$|\.tsbuildinfo$|\.test\.|(^|\/)(test|src)\/(?!.*vendor)/;
const OURS = /^(payassent$|@payassent\/)/;

/** What is in a tarball, and what it asks npm for. It is unpacked beside itself. */
export function checkTarball(root, name, tarball) {
  const list = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
  const files = list.map((file) => file.replace(/^package\//, ''));
  const folder = mkdtempSync(path.join(path.dirname(tarball), 'unpacked-'));
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  const read = (file) => readFileSync(path.join(folder, 'package', file), 'utf8');
  const faults = [
    ...files.filter((file) => UNWANTED.test(file) && !file.startsWith('vendor/')),
    ...['LICENSE', 'README.md', 'package.json'].filter((file) => !files.includes(file)),
    ...files.filter((file) => /dist\/.*\.js$/.test(file) && read(file).includes('//# sourceMappingURL')),
  ];
  if (files.includes('LICENSE') && read('LICENSE') !== readFileSync(path.join(root, 'LICENSE'), 'utf8'))
    faults.push('LICENSE is another one');
  for (const [, link] of read('README.md').matchAll(/\]\((?![a-z]+:)([^)#]+)/g))
    if (!files.includes(path.normalize(link))) faults.push(`README.md: ${link} is not in the package`);
  faults.push(...manifestFaults(root, JSON.parse(read('package.json'))));
  if (faults.length > 0) throw new CheckError(`${name}:\n  ${faults.join('\n  ')}`);
}

function manifestFaults(root, { private: isPrivate, engines, license, publishConfig, ...manifest }) {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const folders = Object.fromEntries(
    Object.entries(lock.packages).flatMap(([folder, { name }]) => (name ? [[name, folder]] : [])),
  );
  const isHidden = (name) =>
    JSON.parse(readFileSync(path.join(root, folders[name], 'package.json'), 'utf8')).private === true;
  return [
    ...(isPrivate ? ['is private'] : []),
    ...(engines?.node === '>=20.19' && license === 'Apache-2.0' ? [] : ['engines or license']),
    ...(publishConfig?.access === 'public' && publishConfig.provenance ? [] : ['publishConfig']),
    ...wanted.filter(([, version]) => !/^\d/.test(version)).map(([name]) => `${name} has no exact version`),
    ...wanted.filter(([name]) => OURS.test(name) && isHidden(name)).map(([name]) => `${name} is private`),
    ...wanted
      .filter(([name]) => /^(@types\/|typescript|esbuild|vite|playwright)/.test(name))
      .map(([name]) => `${name} is for developers`),
  ];
}
