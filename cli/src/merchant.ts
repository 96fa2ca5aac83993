import { isApiError, MerchantClient, SecondOwnerNeededError } from '@payassent/sdk';
import { clientOptions, orUsage } from './clients.ts';
import { type Args, type Command, defineCommand, type Io, type Options, type Result } from './command.ts';
import { findWorld, openWorldSession } from './dev/running.ts';
import { updateProfile } from './profile.ts';
import { readSecret, readSettings, required, SERVICE_OPTIONS } from './settings.ts';

/** For every command of a team member. */
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

/** A team member's client with the session of the profile taken up; that of a dev world's profile is renewed. */
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
  const resume = async (cookieOfSession: string): Promise<MerchantClient> => {
    const options = { ...clientOptions(io, settings, isJson), sessionCookie: cookieOfSession };
    const client = orUsage(() => new MerchantClient(options));
    await client.sessions.resume({ signal: io.signal });
    return client;
  };
  try {
    return await resume(sessionCookie);
  } catch (error) {
    const { profileName, profile, baseUrl } = settings;
    // Sessions end after half an hour without a call, and immediately when the clock is moved.
    const hasEnded = isApiError(error) && error.httpStatus === 401;
    const world = findWorld(io, profileName);
    if (!hasEnded || sessionCookie !== profile.session_cookie || world?.service !== baseUrl) throw error;
    const session_cookie = await openWorldSession(world.viewer);
    updateProfile(io, profileName, { session_cookie });
    return resume(session_cookie);
  }
}

interface MerchantCommand<O extends Options> extends Omit<Command, 'options' | 'run'> {
  options?: O;
  /** Checks the command line; what it returns acts in the session of the profile. */
  run(args: Args<O & typeof MERCHANT_OPTIONS>, io: Io): Act | Promise<Act>;
}

type Act = (client: MerchantClient, options: { signal: AbortSignal }) => Promise<Result>;

/** A change that a second owner has to approve is no failure: nothing has changed, and the approval is shown. */
export function merchantCommand<const O extends Options>(command: MerchantCommand<O>): Command {
  return defineCommand({
    ...command,
    options: { ...MERCHANT_OPTIONS, ...command.options },
    async run(io, args) {
      const act = await command.run(args as Args<O & typeof MERCHANT_OPTIONS>, io);
      const client = await openMerchant(io, args.values, args.isJson);
      try {
        return await act(client, { signal: io.signal });
      } catch (error) {
        if (!(error instanceof SecondOwnerNeededError)) throw error;
        const { approval } = error;
        const text = `Nothing has changed yet. Another owner decides: ${approval.approval_id}`;
        return { document: { approval }, text };
      }
    },
  });
}
