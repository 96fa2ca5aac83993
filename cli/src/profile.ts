import { existsSync, readdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Io, LocalError, UsageError } from './command.ts';
import { isReadableByOthers, readFileIfThere, writePrivateFile } from './private-file.ts';

/** What a profile can hold; the file has these members. */
export const PROFILE_MEMBERS = [
  'base_url',
  'agent_id',
  'kid',
  'key_file',
  'connection_id',
  'connection_token',
  'device_id',
  'device_token',
  'recovery_code',
  'decision_key',
  'session_cookie',
  'clock_offset_ms',
] as const;

export type ProfileMember = (typeof PROFILE_MEMBERS)[number];
export type Profile = Partial<Record<ProfileMember, string>>;

type Place = Pick<Io, 'env'>;

export function profileFolder({ env }: Place): string {
  const base = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
  return join(base, 'payassent');
}

export function checkedProfileName(name: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new UsageError('A profile has a name of 1 to 64 letters, digits, dots, hyphens or underscores');
  return name;
}

export function profileFile(place: Place, name: string): string {
  return join(profileFolder(place), `${checkedProfileName(name)}.json`);
}

/** Where a key goes for which no other place is named. */
export function profileKeyFile(place: Place, name: string): string {
  return join(profileFolder(place), `${checkedProfileName(name)}.key`);
}

/** Tells the other commands about the running world of this name; written by `payassent dev`. */
export function profileWorldFile(place: Place, name: string): string {
  return join(profileFolder(place), `${checkedProfileName(name)}.world`);
}

/** Where the data of a world stay that is kept over restarts. */
export function profileDataFolder(place: Place, name: string): string {
  return join(profileFolder(place), `${checkedProfileName(name)}.data`);
}

/** Of every such world, running or not. */
export function profileWorldNames(place: Place): string[] {
  const folder = profileFolder(place);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.flatMap((file) => /^([A-Za-z0-9_-][A-Za-z0-9._-]{0,63})\.world$/.exec(file)?.[1] ?? []);
}

/** As it is kept: a profile is read from any folder. Empty removes the member, `-` is stdin. */
export function keptKeyFile(path: string): string {
  return path === '' || path === '-' ? path : resolve(path);
}

/** Empty when there is none yet. */
export function readProfile(io: Pick<Io, 'env' | 'stderr'>, name: string): Profile {
  const path = profileFile(io, name);
  const text = readFileIfThere(path);
  if (text === undefined) return {};
  if (isReadableByOthers(path))
    io.stderr.write(`${path} can be read by others on this machine; run: chmod 600 ${path}\n`);
  const parsed = parseObject(text);
  if (!parsed)
    throw new LocalError('profile_damaged', `${path} is no JSON object`, 'Fix or delete the file.');
  const known = PROFILE_MEMBERS.filter((member) => typeof parsed[member] === 'string');
  return Object.fromEntries(known.map((member) => [member, parsed[member]]));
}

/** Reads the file again and changes only what is named, so that two commands do not undo each other. Empty removes. */
export function updateProfile(io: Pick<Io, 'env' | 'stderr'>, name: string, change: Profile): string {
  const path = profileFile(io, name);
  const merged = Object.entries({ ...readProfile(io, name), ...change });
  const next = Object.fromEntries(merged.filter(([, value]) => value !== ''));
  writePrivateFile(path, `${JSON.stringify(next, null, 2)}\n`, { overwrite: true });
  return path;
}

export function hasProfile(place: Place, name: string): boolean {
  return readFileIfThere(profileFile(place, name)) !== undefined;
}

/** False when there was none. */
export function deleteProfile(place: Place, name: string): boolean {
  if (!hasProfile(place, name)) return false;
  rmSync(profileFile(place, name));
  return true;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
