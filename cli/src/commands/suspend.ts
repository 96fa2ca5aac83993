import { type Args, type Command, defineCommand, type Io, type Options, UsageError } from '../command.ts';
import { createOutput } from '../output.ts';
import { guarded, variables } from './operator.ts';

const KINDS = ['merchant', 'domain', 'agent'] as const;
const MAX_REASON = 280;

const options = {
  reason: {
    type: 'string',
    placeholder: 'text',
    summary: 'kept in the audit trail, which the merchant reads',
  },
} as const satisfies Options;

const details = async () =>
  [
    'Takes effect at once, in every process of the service, which may run meanwhile. A merchant cannot lift it.',
    '',
    '  merchant  its sessions, agents, API keys and connections are refused with 403; what is pending reads unverified',
    '  domain    it no longer vouches for payees, and no one can verify it',
    '  agent     its tokens, API keys and connections are refused with 403',
    '',
    await variables(),
  ].join('\n');

async function order(io: Io, { values, positionals, isJson }: Args<typeof options>, isLifted: boolean) {
  const [kindText, target, ...rest] = positionals;
  const kind = KINDS.find((one) => one === kindText);
  if (!kind || !target || rest.length > 0)
    throw new UsageError('Say what: merchant, domain or agent, then its id or name.');
  const { reason } = values;
  if (reason !== undefined && [...reason].length > MAX_REASON)
    throw new UsageError(`--reason has at most ${MAX_REASON} characters.`);
  return guarded(async (cli) => {
    const say = (text: string) => io.stderr.write(`${text}\n`);
    const done = await cli.changeSuspension(io.env, say, { kind, target, isLifted, reason });
    const what = `${done.kind} ${done.name}${done.id === done.name ? '' : ` (${done.id})`}`;
    const state = done.suspended ? 'suspended' : 'not suspended';
    createOutput(io, isJson).result(
      { ...done },
      done.changed ? `The ${what} is ${state} from now on.` : `The ${what} was ${state} already.`,
    );
  });
}

export const suspend: Command = defineCommand({
  name: 'suspend',
  summary: 'stop a merchant, a domain or an agent at once',
  positionals: 'merchant|domain|agent <id or name>',
  options,
  details,
  run: (io, args) => order(io, args, false),
});

export const unsuspend: Command = defineCommand({
  name: 'unsuspend',
  summary: 'lift what suspend did',
  positionals: 'merchant|domain|agent <id or name>',
  options,
  details,
  run: (io, args) => order(io, args, true),
});
