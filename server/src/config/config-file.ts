import { readFileSync } from 'node:fs';

/** Variables by name. */
type Env = Readonly<Record<string, string | undefined>>;

const LINE = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/;
const SETTING = /^(SVC_|DATABASE_URL)/;

/** The environment over what the file of SVC_CONFIG_FILE says: lines of KEY=value, quoted or not, and # comments. */
export function withConfigFile(env: Env, faults: string[]): Env {
  const file = env['SVC_CONFIG_FILE']?.trim();
  if (!file) return env;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    faults.push(
      `SVC_CONFIG_FILE names ${file}, which cannot be read (${(error as { code?: string }).code}).`,
    );
    return env;
  }
  const found: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const [, name = '', value = ''] = LINE.exec(line) ?? [];
    // The line may carry a secret, so no message repeats it.
    if (!SETTING.test(name) || name === 'SVC_CONFIG_FILE')
      faults.push(`${file}, line ${index + 1}, is no setting: write SVC_NAME=value, or # before a comment.`);
    else if (name in found)
      faults.push(`${file}, line ${index + 1}, sets ${name} again: remove one of them.`);
    else found[name] = value.replace(/^(["'])(.*)\1$/, '$2');
  }
  // An empty variable counts as absent, as everywhere.
  const given = Object.entries(env).filter(([, value]) => value?.trim());
  return { ...found, ...Object.fromEntries(given) };
}
