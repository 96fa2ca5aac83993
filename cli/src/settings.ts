import { findNameIssues } from '@payassent/protocol';
import { type Args, type Io, type Options, UsageError } from './command.ts';
import { readFileIfThere } from './private-file.ts';
import { checkedProfileName, type Profile, type ProfileMember, readProfile } from './profile.ts';

const DEFAULT_BASE_URL = 'http://127.0.0.1:8787';

export const PROFILE_OPTION = {
  profile: {
    type: 'string',
    placeholder: 'name',
    summary: 'the profile to read and write [PAYASSENT_PROFILE, else default]',
  },
} as const satisfies Options;

/** For every command that talks to the service. */
export const SERVICE_OPTIONS = {
  'base-url': {
    type: 'string',
    placeholder: 'url',
    summary: `the service [PAYASSENT_BASE_URL, else the profile, else ${DEFAULT_BASE_URL}]`,
  },
  ...PROFILE_OPTION,
} as const satisfies Options;

/** Where settings come from, in this order: option, environment, profile. */
export interface Settings {
  baseUrl: string;
  profileName: string;
  profile: Profile;
}

type ServiceValues = Args<typeof SERVICE_OPTIONS>['values'];

export function readSettings(io: Io, values: ServiceValues): Settings {
  const profileName = profileNameOf(io, values);
  const profile = readProfile(io, profileName);
  const baseUrl =
    setting(io, profile, { option: values['base-url'], env: 'PAYASSENT_BASE_URL', member: 'base_url' }) ??
    DEFAULT_BASE_URL;
  return { baseUrl, profileName, profile };
}

export function profileNameOf(io: Io, values: { readonly profile?: string }): string {
  return checkedProfileName(values.profile ?? (io.env['PAYASSENT_PROFILE'] || 'default'));
}

interface Sources {
  option: string | undefined;
  env: string;
  member?: ProfileMember;
}

/** An empty variable counts as absent. */
export function setting(io: Io, profile: Profile, sources: Sources): string | undefined {
  const { option, env, member } = sources;
  return option ?? (io.env[env] || undefined) ?? (member ? profile[member] : undefined);
}

interface SecretSources extends Sources {
  /** The option's name, for messages; `--<name>-file` is the other option. */
  name: string;
  file: string | undefined;
}

/**
 * A secret: from `--<name>-file`, from stdin with `--<name> -`, from the environment, or from the profile. It may also
 * be given on the command line, where other users of the machine can see it; no one has to put it there.
 */
export async function readSecret(
  io: Io,
  profile: Profile,
  sources: SecretSources,
): Promise<string | undefined> {
  const { name, file, option } = sources;
  if (file !== undefined && option !== undefined)
    throw new UsageError(`Give either --${name} or --${name}-file, not both`);
  if (file !== undefined) return (await readInput(io, file)).trim();
  if (option === '-') return (await readInput(io, '-')).trim();
  return setting(io, profile, sources);
}

/** A file's text; `-` is stdin. */
export async function readInput(io: Io, path: string): Promise<string> {
  if (path === '-') {
    const chunks: Uint8Array[] = [];
    for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  }
  const text = readFileIfThere(path);
  if (text === undefined) throw new UsageError(`There is no file ${path}`);
  return text;
}

/** What can be in the path of an address: a dot or two would name another place. */
export function checkedIdentifier(text: string): string {
  if (['', '.', '..'].includes(text)) throw new UsageError(`This is no identifier: "${text}"`);
  return text;
}

/** The name of a merchant, agent or payee, judged before anything is sent. */
export function requiredName(value: string | undefined, what: string): string {
  const name = required(value, what);
  const [issue] = findNameIssues(name, 'The name');
  if (issue) throw new UsageError(issue.message);
  return name;
}

export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined || value === '') throw new UsageError(`Missing: ${what}`);
  return value;
}

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** The longest delay of a timer, in whole hours: a longer one would fire immediately. */
const LONGEST_TIMER_MS = 596 * UNIT_MS.h;

/** `500`, `500ms`, `30s`, `5m` or `1h` as milliseconds; for a timer unless a longer time is allowed. */
export function durationMs(option: string, text: string, mostMs = LONGEST_TIMER_MS): number {
  const [, digits, unit = 'ms'] = /^([0-9]{1,9})(ms|s|m|h)?$/.exec(text) ?? [];
  if (digits === undefined) throw new UsageError(`--${option} is a duration such as 500ms, 30s or 5m`);
  const durationInMs = Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (durationInMs > mostMs) throw new UsageError(`--${option} is at most ${mostMs / UNIT_MS.h}h`);
  return durationInMs;
}

/** A whole number within bounds. */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UsageError(`--${option} is a whole number from ${least} to ${most}`);
  return value;
}

/** Only the members that were given: an absent one is not sent. */
export function given<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const stated = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated) as ReturnType<typeof given<T>>;
}
