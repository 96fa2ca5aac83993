import { MerchantClient } from '@payassent/sdk';
import { clientOptions, orUsage } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { MERCHANT_OPTIONS, openMerchant, signInWithLink } from '../merchant.ts';
import { createOutput, partyName } from '../output.ts';
import { readInput, readSettings, required } from '../settings.ts';

export const merchantLink = defineCommand({
  name: 'merchant link',
  summary: 'mail a sign-in link to an operator',
  positionals: '<email>',
  options: MERCHANT_OPTIONS,
  async run(io, { values, positionals, isJson }) {
    const email = required(positionals[0], 'the email address');
    const settings = readSettings(io, values);
    const client = orUsage(() => new MerchantClient(clientOptions(io, settings, isJson)));
    await client.sessions.requestLink({ email }, { signal: io.signal });
    createOutput(io, isJson).result(
      { status: 'accepted' },
      'If mail can reach this address, a link is on its way. Go on with: payassent merchant sign-in --link -',
    );
    return EXIT.ok;
  },
});

export const merchantSignIn = defineCommand({
  name: 'merchant sign-in',
  summary: 'open a session with a mailed link and keep it in the profile',
  options: {
    ...MERCHANT_OPTIONS,
    link: { type: 'string', placeholder: 'url', summary: 'the mailed link, or its token; - for stdin' },
    organization: {
      type: 'string',
      placeholder: 'name',
      summary: 'which one, where the operator has several',
    },
    found: { type: 'string', placeholder: 'name', summary: 'found a new organization of this name' },
  },
  details:
    'Passkeys work in the portal only: what needs one is refused with step_up_required, and a session that begins with a link although there are passkeys is told to all owners.',
  async run(io, { values, isJson }) {
    const stated = required(values.link, '--link');
    const link = stated === '-' ? await readInput(io, '-') : stated;
    const { opened, file } = await signInWithLink(io, values, link, values, isJson);
    const { merchant, operator, session } = opened;
    createOutput(io, isJson).result(
      { merchant, operator, session, profile_file: file },
      `Signed in to ${partyName(merchant.name)} as ${operator.role}, until ${session.expires_at}. Kept in ${file}`,
    );
    return EXIT.ok;
  },
});

export const sessionsList = defineCommand({
  name: 'sessions list',
  summary: 'show where you are signed in',
  options: MERCHANT_OPTIONS,
  async run(io, { values, isJson }) {
    const client = await openMerchant(io, values, isJson);
    const { sessions } = await client.sessions.list({ signal: io.signal });
    const rows = sessions.map(
      (one) =>
        `${one.session_id}  ${one.current ? 'this one' : one.last_seen_at}  ${one.signed_in_by}  ${one.network_address ?? ''}  ${one.user_agent ?? ''}`,
    );
    createOutput(io, isJson).result({ sessions }, rows.join('\n'));
    return EXIT.ok;
  },
});

export const sessionsEnd = defineCommand({
  name: 'sessions end',
  summary: 'sign out in one place, or everywhere',
  positionals: '<session id>|all',
  options: MERCHANT_OPTIONS,
  async run(io, { values, positionals, isJson }) {
    const which = required(positionals[0], 'a session id, or all');
    const client = await openMerchant(io, values, isJson);
    const output = createOutput(io, isJson);
    if (which === 'all') {
      await client.sessions.signOutEverywhere({ signal: io.signal });
      output.result({ ended: 'all' }, 'Signed out everywhere.');
    } else {
      const { session } = await client.sessions.signOutOf(which, { signal: io.signal });
      output.result({ session }, `Ended: ${session.session_id}`);
    }
    return EXIT.ok;
  },
});

export const passkeysList = defineCommand({
  name: 'passkeys list',
  summary: 'show your passkeys',
  options: MERCHANT_OPTIONS,
  details: 'Registering and using a passkey needs a browser: see Your sign-in in the portal.',
  async run(io, { values, isJson }) {
    const client = await openMerchant(io, values, isJson);
    const { passkeys } = await client.passkeys.list({ signal: io.signal });
    const rows = passkeys.map(
      (one) =>
        `${one.passkey_id}  ${one.name}  effective from ${one.effective_at}  last used ${one.last_used_at ?? 'never'}`,
    );
    createOutput(io, isJson).result({ passkeys }, rows.join('\n') || 'No passkey.');
    return EXIT.ok;
  },
});

export const passkeysRemove = defineCommand({
  name: 'passkeys remove',
  summary: 'remove one of your passkeys',
  positionals: '<passkey id>',
  options: MERCHANT_OPTIONS,
  async run(io, { values, positionals, isJson }) {
    const id = required(positionals[0], 'the passkey id');
    const client = await openMerchant(io, values, isJson);
    const { passkey } = await client.passkeys.remove(id, { signal: io.signal });
    createOutput(io, isJson).result({ passkey }, `Removed: ${passkey.name}`);
    return EXIT.ok;
  },
});

export const passkeysConfirm = defineCommand({
  name: 'passkeys confirm',
  summary: "make another operator's first passkey effective",
  positionals: '<passkey id>',
  options: MERCHANT_OPTIONS,
  details:
    'For owners: operators list shows which passkeys wait. Without this a first passkey is effective after 24 hours.',
  async run(io, { values, positionals, isJson }) {
    const id = required(positionals[0], 'the passkey id');
    const client = await openMerchant(io, values, isJson);
    const { passkey } = await client.passkeys.confirm(id, { signal: io.signal });
    createOutput(io, isJson).result({ passkey }, `Effective from now on: ${passkey.name}`);
    return EXIT.ok;
  },
});
