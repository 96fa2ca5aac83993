import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineCommand, EXIT, LocalError, UsageError } from '../command.ts';
import { readVersion } from '../help.ts';
import { createOutput } from '../output.ts';

const TEMPLATES = fileURLToPath(new URL('../../templates/', import.meta.url));

/** What is typed after `npm install` and `payassent dev`. */
const START: Readonly<Record<string, string>> = {
  express: 'npm start',
  next: 'npm run dev',
  mcp: 'npm start -- tickets-42 12.50',
};

/** npm leaves files of these names out of a package, or reads them itself: the templates have them without the dot. */
const HIDDEN = ['gitignore', 'env.example', 'mcp.json'];

export const commands = [
  defineCommand({
    name: 'init',
    summary: 'write a small project that runs: a shop with Express or Next.js, or the tools for a model',
    positionals: 'express|next|mcp [folder]',
    options: {},
    details: [
      'The folder is made, payassent-express for example unless named; one that has anything in it is refused. The project',
      'requests payments, waits for decisions and receives webhooks with the SDK (express, next), or drives the MCP tools',
      '(mcp). It reads .env, which payassent dev writes when it is started there, and its README describes every step.',
    ].join('\n'),
    async run(io, { positionals, isJson }) {
      const [template = '', named, ...more] = positionals;
      const start = Object.hasOwn(START, template) ? START[template] : undefined;
      if (start === undefined || more.length > 0)
        throw new UsageError(`Give one of: ${Object.keys(START).join(', ')}, and the folder to make`);
      const folder = resolve(named ?? `payassent-${template}`);
      writeProject(template, folder);
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .sort();
      const place = relative('.', folder);
      const next = [
        ...(place === '' ? [] : [`cd ${place}`]),
        'npm install',
        'npx --no -- payassent dev',
        start,
      ];
      createOutput(io, isJson).result(
        { template, folder, files, next },
        [
          folder,
          ...files.map((file) => `  ${file}`),
          '',
          'Next; dev in another terminal:',
          ...next.map((line) => `  ${line}`),
          'README.md has the details.',
        ].join('\n'),
      );
      return EXIT.ok;
    },
  }),
];

function writeProject(template: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0)
      throw new UsageError(`${folder} is not empty: name a folder that is new or empty`);
    cpSync(join(TEMPLATES, template), folder, { recursive: true });
    const hidden = readdirSync(folder).filter((file) => HIDDEN.includes(file));
    for (const file of hidden) renameSync(join(folder, file), join(folder, `.${file}`));
    writeManifest(join(folder, 'package.json'), basename(folder));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'EEXIST' || code === 'ENOTDIR') throw new UsageError(`${folder} is a file: name a folder`);
    throw new LocalError('file_error', `${folder}: ${code}`);
  }
}

/** With the name of its folder, and with our packages in the version of this command. */
function writeManifest(file: string, name: string): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  for (const wanted of [manifest.dependencies, manifest.devDependencies ?? {}])
    for (const one of Object.keys(wanted))
      if (/^(@payassent\/|payassent$)/.test(one)) wanted[one] = readVersion();
  if (/^[a-z0-9][a-z0-9._-]{0,100}$/.test(name)) manifest.name = name;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
