import { type EmailGrant, MerchantClient } from '@payassent/sdk';
import { clientOptions, orUsage } from '../clients.ts';
import { type Args, defineCommand, type Io, UsageError } from '../command.ts';
import { MERCHANT_OPTIONS, merchantCommand } from '../merchant.ts';
import { partyName } from '../output.ts';
import { updateProfile } from '../profile.ts';
import { readInput, readSettings, required, requiredName } from '../settings.ts';

const SIGN_IN_OPTIONS = {
  ...MERCHANT_OPTIONS,
  link: { type: 'string', placeholder: 'url', summary: 'the mailed link, or its token; - for stdin' },
  organization: {
    type: 'string',
    placeholder: 'name',
    summary: 'which one, where the team member has several',
  },
  found: { type: 'string', placeholder: 'name', summary: 'found a new organization of this name' },
} as const;

export const commands = [
  defineCommand({
    name: 'merchant link',
    summary: 'mail a sign-in link to a team member',
    positionals: '<email>',
    options: MERCHANT_OPTIONS,
    async run(io, { values, positionals, isJson }) {
      const email = required(positionals[0], 'the email address');
      const settings = readSettings(io, values);
      const client = orUsage(() => new MerchantClient(clientOptions(io, settings, isJson)));
      await client.sessions.requestLink({ email }, { signal: io.signal });
      return {
        document: { status: 'accepted' },
        text: 'If mail can reach this address, a link is on its way. Continue with: payassent merchant sign-in --link -',
      };
    },
  }),
  defineCommand({
    name: 'merchant sign-in',
    summary: 'open a session with a mailed link and keep it in the profile',
    options: SIGN_IN_OPTIONS,
    details:
      'Passkeys work in the portal only: what needs one is refused with step_up_required, and a session that begins with a link although there are passkeys is mailed to all owners.',
    async run(io, args) {
      const { opened, file } = await signIn(io, args);
      const { merchant, operator, session } = opened;
      return {
        document: { merchant, operator, session, profile_file: file },
        text: `Signed in to ${partyName(merchant.name)} as ${operator.role}, until ${session.expires_at}. Kept in ${file}`,
      };
    },
  }),
  merchantCommand({
    name: 'sessions list',
    summary: 'show where you are signed in',
    run: () => async (client, options) => {
      const { sessions } = await client.sessions.list(options);
      const rows = sessions.map(
        (one) =>
          `${one.session_id}  ${one.current ? 'this one' : one.last_seen_at}  ${one.signed_in_by}  ${one.network_address ?? ''}  ${one.user_agent ?? ''}`,
      );
      return { document: { sessions }, text: rows.join('\n') };
    },
  }),
  merchantCommand({
    name: 'sessions end',
    summary: 'sign out in one place, or everywhere',
    positionals: '<session id>|all',
    run({ positionals }) {
      const which = required(positionals[0], 'a session id, or all');
      return async (client, options) => {
        if (which === 'all') {
          await client.sessions.signOutEverywhere(options);
          return { document: { ended: 'all' }, text: 'Signed out everywhere.' };
        }
        const { session } = await client.sessions.signOutOf(which, options);
        return { document: { session }, text: `Ended: ${session.session_id}` };
      };
    },
  }),
  merchantCommand({
    name: 'passkeys list',
    summary: 'show your passkeys',
    details: 'Registering and using a passkey needs a browser: see Your sign-in in the portal.',
    run: () => async (client, options) => {
      const { passkeys } = await client.passkeys.list(options);
      const rows = passkeys.map(
        (one) =>
          `${one.passkey_id}  ${one.name}  effective from ${one.effective_at}  last used ${one.last_used_at ?? 'never'}`,
      );
      return { document: { passkeys }, text: rows.join('\n') || 'No passkey.' };
    },
  }),
  merchantCommand({
    name: 'passkeys remove',
    summary: 'remove one of your passkeys',
    positionals: '<passkey id>',
    run({ positionals }) {
      const id = required(positionals[0], 'the passkey id');
      return async (client, options) => {
        const { passkey } = await client.passkeys.remove(id, options);
        return { document: { passkey }, text: `Removed: ${passkey.name}` };
      };
    },
  }),
  merchantCommand({
    name: 'passkeys confirm',
    summary: "make another team member's first passkey effective",
    positionals: '<passkey id>',
    details:
      'For owners: operators list shows which passkeys wait. Without this a first passkey is effective after 24 hours.',
    run({ positionals }) {
      const id = required(positionals[0], 'the passkey id');
      return async (client, options) => {
        const { passkey } = await client.passkeys.confirm(id, options);
        return { document: { passkey }, text: `Effective from now on: ${passkey.name}` };
      };
    },
  }),
];

/** Exchanges the mailed link and keeps the session in the profile. */
async function signIn(io: Io, { values, isJson }: Args<typeof SIGN_IN_OPTIONS>) {
  const { found, organization } = values;
  const stated = required(values.link, '--link');
  const link = stated === '-' ? await readInput(io, '-') : stated;
  // Before the link is spent.
  if (found !== undefined) requiredName(found, '--found');
  const settings = readSettings(io, values);
  const client = orUsage(() => new MerchantClient(clientOptions(io, settings, isJson)));
  const token = /#token=(.+)$/.exec(link.trim())?.[1] ?? link.trim();
  const grant = await client.sessions.verifyEmail({ token }, { signal: io.signal });
  const { session_grant } = grant;
  const opened = await client.sessions.open(
    found === undefined
      ? { session_grant, choice_id: chosen(grant, organization) }
      : { next_grant: (await client.sessions.createOrganization({ session_grant, name: found })).next_grant },
  );
  const cookie = client.sessions.cookie();
  if (cookie === undefined) throw new Error('the service set no cookie');
  const file = updateProfile(io, settings.profileName, {
    base_url: settings.baseUrl,
    session_cookie: cookie,
  });
  return { opened, file };
}

function chosen({ merchants }: EmailGrant, organization: string | undefined): string {
  const fitting = merchants.filter(({ name }) => organization === undefined || name === organization);
  const [only] = fitting;
  if (only && fitting.length === 1) return only.choice_id;
  const names = merchants.map(({ name }) => name).join(', ') || 'none: found one with --found';
  throw new UsageError(`Choose one with --organization and request a new link. There are: ${names}`);
}
