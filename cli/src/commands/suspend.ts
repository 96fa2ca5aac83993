import { type Args, type Io, type Options, UsageError } from '../command.ts';
import { hostCommand, type Work } from './host.ts';

const KINDS = ['merchant', 'domain', 'agent'] as const;
const MAX_REASON = 280;

const options = {
  reason: {
    type: 'string',
    placeholder: 'text',
    summary: 'kept in the audit trail, which the merchant reads',
  },
} as const satisfies Options;

const details = [
  'Takes effect immediately, in every process of the service, which may run meanwhile. A merchant cannot lift it.',
  '',
  '  merchant  its sessions, agents, API keys and connections are refused with 403; what is pending reads unverified',
  '  domain    it no longer vouches for payees, and no one can verify it',
  '  agent     its tokens, API keys and connections are refused with 403',
].join('\n');

const suspension = (name: string, summary: string, isLifted: boolean) =>
  hostCommand({
    name,
    summary,
    positionals: 'merchant|domain|agent <id or name>',
    options,
    details,
    run: (io, args) => change(io, args, isLifted),
  });

function change(io: Io, { values: { reason }, positionals }: Args<typeof options>, isLifted: boolean) {
  const [kindText, target, ...rest] = positionals;
  const kind = KINDS.find((one) => one === kindText);
  if (!kind || !target || rest.length > 0)
    throw new UsageError('Name the target: merchant, domain or agent, then its id or name.');
  if (reason !== undefined && [...reason].length > MAX_REASON)
    throw new UsageError(`--reason has at most ${MAX_REASON} characters.`);
  const work: Work = async (host, say) => {
    const done = await host.changeSuspension(io.env, say, { kind, target, isLifted, reason });
    const what = `${done.kind} ${done.name}${done.id === done.name ? '' : ` (${done.id})`}`;
    const state = done.suspended ? 'suspended' : 'not suspended';
    const text = done.changed ? `The ${what} is ${state} from now on.` : `The ${what} was ${state} already.`;
    return { document: done, text };
  };
  return work;
}

export const commands = [
  suspension('suspend', 'stop a merchant, a domain or an agent immediately', false),
  suspension('unsuspend', 'lift what suspend did', true),
  hostCommand({
    name: 'team reset-passkeys',
    summary: 'remove all passkeys of a team member who lost them, or whose passkeys are not theirs',
    positionals: '<email>',
    options: {},
    details: [
      'For the host, while the service runs. All passkeys of the team member are removed and all',
      'of their sessions end; they sign in by mail, and a new passkey is effective after 24 hours. Verify in another way',
      'than mail who requests this. It is in the audit trail of every organization of the team member, and every owner',
      'gets a mail.',
    ].join('\n'),
    run(io, { positionals }) {
      const [email, ...rest] = positionals;
      if (!email?.includes('@') || rest.length > 0)
        throw new UsageError('Give the address of the team member.');
      return async (host, say) => {
        const done = await host.resetOperatorPasskeys(io.env, say, email);
        const count = done.passkeys === 1 ? 'one passkey' : `${done.passkeys} passkeys`;
        return { document: done, text: `Removed ${count} of ${done.email}, whose sessions have ended.` };
      };
    },
  }),
];
