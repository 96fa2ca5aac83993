import { readdirSync } from 'node:fs';
import { AGENT_OPTIONS } from '../clients.ts';
import { defineCommand, type Io, LocalError, UsageError } from '../command.ts';
import { listing } from '../output.ts';
import {
  deleteProfile,
  hasProfile,
  keptKeyFile,
  PROFILE_MEMBERS,
  type Profile,
  type ProfileMember,
  profileFile,
  profileFolder,
  readProfile,
  updateProfile,
} from '../profile.ts';
import { PROFILE_OPTION, profileNameOf, SERVICE_OPTIONS } from '../settings.ts';

export const commands = [
  defineCommand({
    name: 'profiles list',
    summary: 'name the profiles',
    options: {},
    async run(io) {
      const profiles = listProfiles(io);
      return { document: { profiles }, text: profiles.join('\n') || 'No profile yet.' };
    },
  }),
  defineCommand({
    name: 'profiles show',
    summary: 'show a profile, secrets masked',
    options: { ...PROFILE_OPTION },
    async run(io, { values }) {
      const name = profileNameOf(io, values);
      if (!hasProfile(io, name)) throw notFound(name);
      const profile = shown(readProfile(io, name));
      const file = profileFile(io, name);
      const rows = PROFILE_MEMBERS.map((member) => [member, profile[member]] as const);
      const text = listing([['profile', `${name} (${file})`], ...rows]);
      return { document: { profile: name, profile_file: file, ...profile }, text: text };
    },
  }),
  defineCommand({
    name: 'profiles set',
    summary: 'keep settings in a profile',
    options: { ...SERVICE_OPTIONS, ...AGENT_OPTIONS },
    details: 'An empty value removes a setting: payassent profiles set --kid=',
    async run(io, { values }) {
      const name = profileNameOf(io, values);
      const change: Profile = {
        ...(values['base-url'] === undefined ? {} : { base_url: values['base-url'] }),
        ...(values['agent-id'] === undefined ? {} : { agent_id: values['agent-id'] }),
        ...(values.kid === undefined ? {} : { kid: values.kid }),
        ...(values['key-file'] === undefined ? {} : { key_file: keptKeyFile(values['key-file']) }),
      };
      if (Object.keys(change).length === 0)
        throw new UsageError('Give at least one of --base-url, --agent-id, --kid and --key-file');
      const file = updateProfile(io, name, change);
      const profile = shown(readProfile(io, name));
      return { document: { profile: name, profile_file: file, ...profile }, text: `Kept in ${file}` };
    },
  }),
  defineCommand({
    name: 'profiles delete',
    summary: 'delete a profile with its tokens',
    options: { ...PROFILE_OPTION },
    details: 'The connections themselves stay: revoke them in the wallet.',
    async run(io, { values }) {
      const name = profileNameOf(io, values);
      if (!deleteProfile(io, name)) throw notFound(name);
      return { document: { profile: name, deleted: true }, text: `Deleted: ${name}` };
    },
  }),
];

function notFound(name: string): LocalError {
  return new LocalError('profile_not_found', `There is no profile ${name}`);
}

function shown(profile: Profile): Profile {
  const entries = PROFILE_MEMBERS.flatMap((member) => {
    const value = profile[member];
    return value === undefined ? [] : [[member, isSecretMember(member) ? masked(value) : value]];
  });
  return Object.fromEntries(entries);
}

function listProfiles(io: Io): string[] {
  try {
    return readdirSync(profileFolder(io))
      .filter((file) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*\.json$/.test(file))
      .map((file) => file.slice(0, -'.json'.length))
      .sort();
  } catch {
    return [];
  }
}

const SECRET_MEMBERS: readonly ProfileMember[] = [
  'connection_token',
  'device_token',
  'recovery_code',
  'decision_key',
  'session_cookie',
];

function isSecretMember(member: ProfileMember): boolean {
  return SECRET_MEMBERS.includes(member);
}

/** Enough of a secret to recognise it, never enough to use it. */
function masked(secret: string): string {
  const prefix = /^(?:svc_[a-z]{2}_|whsec_)/.exec(secret)?.[0] ?? '';
  return `${prefix}…${secret.length >= 24 ? secret.slice(-4) : ''}`;
}
