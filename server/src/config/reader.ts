import { Secret } from '../lib/secret.ts';
import { readSecretFiles } from './secret-files.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export type Reader = ReturnType<typeof createReader>;

/** Reads settings of the environment, and files that hold secrets; what is wrong with one goes into `faults`. */
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
