// `payassent doctor`: everything that an installation needs, with the fix next to each finding.
// Only the command line imports it.
// It changes nothing.

import { ConfigError, type Env, parseConfig } from '../../config/index.ts';
import { databaseFindings, readKeys } from './database.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { addressFindings, diskFinding, dnsFinding, mailFinding } from './surroundings.ts';

interface Diagnosis {
  /** False when there is a `fault`; warnings leave it true. */
  ok: boolean;
  findings: Finding[];
}

/** Checks everything an installation needs, next to the running service or without it, and changes nothing. */
export async function diagnose(env: Env, say: (text: string) => void): Promise<Diagnosis> {
  const findings = await findingsOf(env, say);
  return { ok: findings.every(({ status }) => status !== 'fault'), findings };
}

async function findingsOf(env: Env, say: (text: string) => void): Promise<Finding[]> {
  let config: ReturnType<typeof parseConfig>;
  try {
    config = parseConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((text) => fault('settings', text, 'Correct it; the rest is checked then.'));
  }
  const settings = config.warnings.map((text) => warning('settings', text, 'See the message.'));
  const { keys, findings } = await readKeys(config);
  const [database, disk, dns, mail, addresses] = await Promise.all([
    databaseFindings(config, keys, say),
    diskFinding(config),
    dnsFinding(config),
    mailFinding(config),
    addressFindings(config, keys),
  ]);
  return [
    ...(settings.length > 0 ? settings : [ok('settings', 'every variable is known and usable')]),
    ...database,
    ...findings,
    disk,
    dns,
    mail,
    ...addresses,
  ];
}
