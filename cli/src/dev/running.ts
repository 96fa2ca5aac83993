import { existsSync, rmSync } from 'node:fs';
import { type Io, LocalError, type Options, UsageError } from '../command.ts';
import { readFileIfThere, writePrivateFile } from '../private-file.ts';
import {
  deleteProfile,
  hasProfile,
  type Profile,
  profileDataFolder,
  profileKeyFile,
  profileWorldFile,
  profileWorldNames,
  updateProfile,
} from '../profile.ts';
import { readSettings, type Settings } from '../settings.ts';

/** A dev world that runs, as the other commands need to know it. */
export interface RunningWorld {
  /** Of `payassent dev`. */
  pid: number;
  service: string;
  /** Mail, names and the clock. */
  viewer: string;
  /** The receiver of webhooks. */
  webhooks: string;
  merchant: { name: string; email: string; domain: string };
  payees: { recipient_id: string; name: string }[];
}

export const WORLD_OPTION = {
  profile: { type: 'string', placeholder: 'name', summary: 'the world, and the profile that it fills [dev]' },
} as const satisfies Options;

export const WORLD_NAME = 'dev';

/** Undefined when none runs: one that was killed has left its file. */
export function findWorld(io: Io, name: string): RunningWorld | undefined {
  const text = readFileIfThere(profileWorldFile(io, name));
  if (text === undefined) return undefined;
  const world = JSON.parse(text) as RunningWorld;
  try {
    process.kill(world.pid, 0);
    return world;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? world : undefined;
  }
}

/** The world whose service has this address. */
export function findWorldAt(io: Io, baseUrl: string): RunningWorld | undefined {
  return profileWorldNames(io)
    .map((name) => findWorld(io, name))
    .find((world) => world?.service === baseUrl);
}

/** A new session of the merchant of the world, whose mailbox only the process of the world reads. */
export async function openWorldSession(viewer: string): Promise<string> {
  const answer = await fetch(`${viewer}/session`, { method: 'PUT' });
  if (!answer.ok) throw new LocalError('not_signed_in', `${viewer}/session: ${answer.status}`);
  return ((await answer.json()) as { session_cookie: string }).session_cookie;
}

/** The world with the settings of its profile; no variable of the shell leads elsewhere. */
export function openWorld(io: Io, name = WORLD_NAME): { world: RunningWorld; settings: Settings; io: Io } {
  const world = findWorld(io, name);
  if (!world)
    throw new UsageError(
      `No world runs under the name ${name}: start it with ${io.typed ?? 'payassent'} dev`,
    );
  const here = withoutVariables(io);
  return { world, settings: readSettings(here, { profile: name }), io: here };
}

export function withoutVariables(io: Io): Io {
  const kept = Object.entries(io.env).filter(([variable]) => !variable.startsWith('PAYASSENT_'));
  return { ...io, env: Object.fromEntries(kept) };
}

/** A profile of this name that no world has made belongs to someone, and a world that runs to itself. */
export function checkName(io: Io, name: string): void {
  if (findWorld(io, name))
    throw new UsageError(
      `A world runs under the name ${name} already: use it, or name another with --profile`,
    );
  const isOfWorld = [profileWorldFile(io, name), profileDataFolder(io, name)].some((path) =>
    existsSync(path),
  );
  if (hasProfile(io, name) && !isOfWorld)
    throw new UsageError(`Profile ${name} is yours: name another for the world with --profile`);
}

/** What the other commands find. Without what was seeded the profile of an earlier start stays. */
export function keepWorld(
  io: Io,
  name: string,
  world: RunningWorld,
  seeded: { profile: Profile; seed: string } | undefined,
): void {
  writePrivateFile(profileWorldFile(io, name), `${JSON.stringify(world, null, 2)}\n`, { overwrite: true });
  if (!seeded) return;
  const keyFile = profileKeyFile(io, name);
  writePrivateFile(keyFile, `${seeded.seed}\n`, { overwrite: true });
  deleteProfile(io, name);
  updateProfile(io, name, { ...seeded.profile, key_file: keyFile });
}

/** Profile and key of a world that is kept stay with its data. */
export function forgetWorld(io: Io, name: string, { keep }: { keep: boolean }): void {
  rmSync(profileWorldFile(io, name), { force: true });
  if (keep) return;
  deleteProfile(io, name);
  rmSync(profileKeyFile(io, name), { force: true });
}
