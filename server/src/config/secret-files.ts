import { readFileSync } from 'node:fs';

/** Each may stand in a file instead, whose name `<variable>_FILE` gives: as mounted secrets do. */
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

/** What the files say, by variable; faults join the others. */
export function readSecretFiles(
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
