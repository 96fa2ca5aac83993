import { rmSync } from 'node:fs';
import { type Io, type Options, UsageError } from '../command.ts';
import { readFileIfThere, writePrivateFile } from '../private-file.ts';
import { deleteProfile, hasProfile, profileKeyFile, profileWorldFile, updateProfile } from '../profile.ts';
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

/** The world with the settings of its profile; no variable of the shell leads elsewhere. */
export function openWorld(io: Io, name = WORLD_NAME): { world: RunningWorld; settings: Settings; io: Io } {
  const world = findWorld(io, name);
  if (!world) throw new UsageError(`No world runs under the name ${name}: start it with payassent dev`);
  const kept = Object.entries(io.env).filter(([variable]) => !variable.startsWith('PAYASSENT_'));
  const here = { ...io, env: Object.fromEntries(kept) };
  return { world, settings: readSettings(here, { profile: name }), io: here };
}

/** A profile of this name that no world has made belongs to somebody, and a world that runs to itself. */
export function checkName(io: Io, name: string): void {
  if (findWorld(io, name))
    throw new UsageError(
      `A world runs under the name ${name} already: use it, or name another with --profile`,
    );
  if (hasProfile(io, name) && readFileIfThere(profileWorldFile(io, name)) === undefined)
    throw new UsageError(`Profile ${name} is yours: name another for the world with --profile`);
}

export function keepWorld(
  io: Io,
  name: string,
  world: RunningWorld,
  seeded: { profile: Parameters<typeof updateProfile>[2]; seed: string },
): void {
  writePrivateFile(profileWorldFile(io, name), `${JSON.stringify(world, null, 2)}\n`, { overwrite: true });
  const keyFile = profileKeyFile(io, name);
  writePrivateFile(keyFile, `${seeded.seed}\n`, { overwrite: true });
  deleteProfile(io, name);
  updateProfile(io, name, { ...seeded.profile, key_file: keyFile });
}

export function forgetWorld(io: Io, name: string): void {
  deleteProfile(io, name);
  for (const file of [profileKeyFile(io, name), profileWorldFile(io, name)]) rmSync(file, { force: true });
}
