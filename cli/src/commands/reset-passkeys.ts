import { type Command, defineCommand, UsageError } from '../command.ts';
import { createOutput } from '../output.ts';
import { guarded, variables } from './operator.ts';

export const teamResetPasskeys: Command = defineCommand({
  name: 'team reset-passkeys',
  summary: 'remove all passkeys of an operator who lost them, or whose passkeys are not theirs',
  positionals: '<email>',
  options: {},
  details: async () =>
    [
      'For the one who runs the service, beside the running service. All passkeys of the operator are removed and all of',
      'their sessions end; they sign in by mail, and a new passkey is effective after 24 hours. Make sure by another way',
      'than mail who asks for this. It is in the audit trail of every organization of the operator, and every owner gets',
      'a mail.',
      '',
      await variables(),
    ].join('\n'),
  async run(io, { positionals, isJson }) {
    const [email, ...rest] = positionals;
    if (!email?.includes('@') || rest.length > 0) throw new UsageError('Give the address of the operator.');
    return guarded(async (cli) => {
      const say = (text: string) => io.stderr.write(`${text}\n`);
      const done = await cli.resetOperatorPasskeys(io.env, say, email);
      createOutput(io, isJson).result(
        { ...done },
        `Removed ${done.passkeys === 1 ? 'one passkey' : `${done.passkeys} passkeys`} of ${done.email}, whose sessions have ended.`,
      );
    });
  },
});
