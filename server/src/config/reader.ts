import { readFileSync } from 'node:fs';
import { Secret } from '../lib/secret.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export type Reader = ReturnType<typeof createReader>;

/** Reads settings from the environment, and secrets from files; every problem is added to `faults`. */
export function createReader(env: Env, faults: string[]) {
  const given = (name: string) => env[name]?.trim() || undefined;
  const files = readSecretFiles(given, faults);
  const text = (name: string): string | undefined => given(name) ?? files.get(name);
  const list = (name: string, isValid: (item: string) => boolean, what: string): string[] => {
    const items = (text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    for (const item of items) {
      if (!isValid(item)) faults.push(`${name} has "${item}": each entry must be ${what}.`);
    }
    return items;
  };
  return {
    faults,
    text,
    list,
    secret(name: string): Secret | undefined {
      const value = text(name);
      return value === undefined ? undefined : new Secret(value);
    },
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name);
      if (value === undefined) return fallback;
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      faults.push(`${name} is "${value}": set a whole number from ${min} to ${max}.`);
      return fallback;
    },
    oneOf<const T extends string>(name: string, values: readonly T[], fallback: T): T {
      const value = text(name);
      const known = values.find((candidate) => candidate === value);
      if (value === undefined || known !== undefined) return known ?? fallback;
      faults.push(`${name} is "${value}": set one of ${values.join(', ')}.`);
      return fallback;
    },
    url(name: string, protocols: readonly string[]): string | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      // The value may carry a password, so the message never repeats it.
      if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
        faults.push(
          `${name} is not a usable address: set one that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
        );
        return undefined;
      }
      return value;
    },
    masterKeys(name: string): Secret[] {
      const values = (text(name) ?? '')
        .split(',')
        .map((v) => v.trim())
        .filter((v) => v !== '');
      for (const value of values) {
        if (!/^[A-Za-z0-9+/]{43}=$/.test(value)) {
          faults.push(
            `${name} must be 32 bytes in base64 (44 characters): make one with "openssl rand -base64 32".`,
          );
        }
      }
      return values.map((value) => new Secret(value));
    },
  };
}

/** Each may come from a file instead, named by `<variable>_FILE`, as with mounted secrets. */
const SECRETS: readonly string[] = [
  'DATABASE_URL',
  'SVC_DATABASE_SESSION_URL',
  'SVC_MASTER_KEY',
  'SVC_MASTER_KEY_PREVIOUS',
  'SVC_SMTP_URL',
  'SVC_METRICS_TOKEN',
  'SVC_OBSERVE',
];
export const FILE_VARIABLES = new Set(SECRETS.map((name) => `${name}_FILE`));

/** The contents of the secret files, by variable; problems are added to `faults`. */
function readSecretFiles(
  given: (name: string) => string | undefined,
  faults: string[],
): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const name of SECRETS) {
    const file = given(`${name}_FILE`);
    if (file === undefined) continue;
    if (given(name) !== undefined) faults.push(`${name} and ${name}_FILE are both set: remove one of them.`);
    found.set(name, readSecretFile(name, file, faults));
  }
  return found;
}

function readSecretFile(name: string, file: string, faults: string[]): string | undefined {
  try {
    const value = readFileSync(file, 'utf8').trim();
    if (value === '') faults.push(`${name}_FILE names ${file}, which is empty.`);
    return value || undefined;
  } catch (error) {
    faults.push(`${name}_FILE names ${file}, which cannot be read (${(error as { code?: string }).code}).`);
    return undefined;
  }
}

const LINE = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/;
const SETTING = /^(SVC_|DATABASE_URL)/;

/** The environment, which overrides the file of SVC_CONFIG_FILE: lines of KEY=value, quoted or not, and # comments. */
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
