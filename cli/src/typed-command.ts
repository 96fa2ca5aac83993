import { basename, delimiter, dirname, relative, resolve } from 'node:path';

/** What to type for this very command in the folder where it was started; npm's own `PATH` ends with npm. */
export function typedCommand(script: string, env: Readonly<Record<string, string | undefined>>): string {
  // Without --no, npm would offer to install whatever the registry has by this name.
  if (env['npm_command'] !== undefined) return 'npx --no -- payassent';
  const folders = (env['PATH'] ?? '').split(delimiter).map((folder) => resolve(folder));
  if (basename(script) === 'payassent' && folders.includes(dirname(script))) return 'payassent';
  const path = relative('.', script);
  return `node ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`}`;
}
