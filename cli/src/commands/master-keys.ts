import { type Command, defineCommand, type Io, UsageError } from '../command.ts';
import { createOutput } from '../output.ts';
import { guarded, variables } from './operator.ts';

interface KeyState {
  key_id: string;
  is_current: boolean;
  is_configured: boolean;
  needed_by: { name: string; rows: number; ends: string }[];
}

const KEY_ID = /^k[0-9a-f]{16}$/;

const say = (io: Io) => (text: string) => void io.stderr.write(`${text}\n`);

export const keysStatus: Command = defineCommand({
  name: 'keys status',
  summary: 'count what needs each master key of the service',
  options: {},
  details: variables,
  run: (io, { isJson }) =>
    guarded(async (cli) => {
      const report = await cli.masterKeyStatus(io.env, say(io));
      createOutput(io, isJson).result({ ...report }, told(report.keys));
    }),
});

export const keysRotate: Command = defineCommand({
  name: 'keys rotate',
  summary: 'encrypt again with the current master key what can be',
  options: {},
  details: async () =>
    [
      'May run beside the service, once every process knows the new key. It can be stopped and repeated at any time.',
      'It prints what still needs a former key, which must stay in SVC_MASTER_KEY_PREVIOUS as long as that is so.',
      '',
      await variables(),
    ].join('\n'),
  run: (io, { isJson }) =>
    guarded(async (cli) => {
      const report = await cli.rotateMasterKeys(io.env, say(io));
      const moved = report.moved.map(({ rows, name }) => `Moved to the current key: ${rows} ${name}.`);
      createOutput(io, isJson).result({ ...report }, [...moved, told(report.keys)].join('\n'));
    }),
});

export const keysAbandon: Command = defineCommand({
  name: 'keys abandon',
  summary: 'end what only a lost master key could read',
  positionals: '<key id>',
  options: {},
  details: async () =>
    [
      'For a master key that is lost for good, and only then: it cannot be undone. Sessions and pairings that need it',
      'end, webhook endpoints are disabled until their merchants make a new secret, and agents get new connection tokens',
      'when they next collect.',
      '',
      await variables(),
    ].join('\n'),
  async run(io, { positionals, isJson }) {
    const [keyId = '', ...rest] = positionals;
    if (!KEY_ID.test(keyId) || rest.length > 0)
      throw new UsageError('Say which key: its id, as keys status prints it.');
    return guarded(async (cli) => {
      const report = await cli.abandonMasterKey(io.env, say(io), keyId);
      const ended = report.ended.map(({ rows, name }) => `Ended: ${rows} ${name}.`);
      createOutput(io, isJson).result({ ...report }, [...ended, told(report.keys)].join('\n'));
    });
  },
});

function told(keys: readonly KeyState[]): string {
  return keys.flatMap(linesOf).join('\n');
}

function linesOf({ key_id, is_current, is_configured, needed_by }: KeyState): string[] {
  const kind = is_current ? 'current' : is_configured ? 'former' : 'NOT CONFIGURED';
  if (needed_by.length === 0)
    return [`${key_id} (${kind}): nothing needs it${is_current ? ' yet' : ', it can go'}.`];
  return [
    `${key_id} (${kind}):`,
    ...needed_by.map(({ rows, name, ends }) => `  ${rows} ${name}${is_current ? '' : `, which ${ends}`}`),
  ];
}
