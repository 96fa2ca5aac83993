import { type EmailGrant, MerchantClient, SecondOwnerNeededError } from '@payassent/sdk';
import { clientOptions, orUsage } from './clients.ts';
import { type Args, type Io, type Options, UsageError } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { createOutput } from './output.ts';
import { updateProfile } from './profile.ts';
import { readSecret, readSettings, required, requiredName, SERVICE_OPTIONS } from './settings.ts';

/** For every command of an operator. */
export const MERCHANT_OPTIONS = {
  ...SERVICE_OPTIONS,
  'session-cookie': {
    type: 'string',
    placeholder: 'name=value',
    summary: '- for stdin [PAYASSENT_SESSION_COOKIE, profile]; see merchant sign-in',
  },
  'session-cookie-file': { type: 'string', placeholder: 'path', summary: 'a file with the cookie' },
} as const satisfies Options;

type Values = Args<typeof MERCHANT_OPTIONS>['values'];

/** An operator's client with the session of the profile taken up. */
export async function openMerchant(io: Io, values: Values, isJson: boolean): Promise<MerchantClient> {
  const settings = readSettings(io, values);
  const cookie = await readSecret(io, settings.profile, {
    name: 'session-cookie',
    option: values['session-cookie'],
    file: values['session-cookie-file'],
    env: 'PAYASSENT_SESSION_COOKIE',
    member: 'session_cookie',
  });
  const sessionCookie = required(cookie, `a session; run payassent merchant sign-in (or --session-cookie)`);
  const client = orUsage(() => new MerchantClient({ ...clientOptions(io, settings, isJson), sessionCookie }));
  await client.sessions.resume({ signal: io.signal });
  return client;
}

interface Done {
  document: object;
  text: string;
}

/** A change that a second owner has to approve is no failure: nothing has changed, and the approval is shown. */
export async function change(
  io: Io,
  { values, isJson }: Pick<Args<typeof MERCHANT_OPTIONS>, 'values' | 'isJson'>,
  act: (client: MerchantClient) => Promise<Done>,
): Promise<number> {
  const client = await openMerchant(io, values, isJson);
  const output = createOutput(io, isJson);
  try {
    const { document, text } = await act(client);
    output.result(document, text);
  } catch (error) {
    if (!(error instanceof SecondOwnerNeededError)) throw error;
    const { approval } = error;
    output.result({ approval }, `Nothing has changed yet. Another owner decides: ${approval.approval_id}`);
  }
  return EXIT.ok;
}

/** Exchanges the mailed link and keeps the session in the profile. */
export async function signInWithLink(
  io: Io,
  values: Values,
  link: string,
  { organization, found }: { organization?: string | undefined; found?: string | undefined },
  isJson: boolean,
) {
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
  throw new UsageError(`Choose one with --organization and ask for a new link. There are: ${names}`);
}
