import { basename, relative } from 'node:path';

/** What to type for this very command in the folder where it was started; npm's own `PATH` ends with npm. */
export function typedCommand(script: string, env: Readonly<Record<string, string | undefined>>): string {
  // Without --no, npm would offer to install whatever the registry has by this name.
  if (env['npm_command'] !== undefined) return 'npx --no -- payassent';
  return basename(script) === 'payassent' ? 'payassent' : `node ${relative('.', script)}`;
}
