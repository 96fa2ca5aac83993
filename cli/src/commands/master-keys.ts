import { UsageError } from '../command.ts';
import { hostCommand } from './host.ts';

interface KeyState {
  key_id: string;
  is_current: boolean;
  is_configured: boolean;
  needed_by: { name: string; rows: number; ends: string }[];
}

const KEY_ID = /^k[0-9a-f]{16}$/;

export const commands = [
  hostCommand({
    name: 'keys status',
    summary: 'count what needs each master key of the service',
    options: {},
    run: (io) => async (host, say) => {
      const report = await host.masterKeyStatus(io.env, say);
      return { document: report, text: told(report.keys) };
    },
  }),
  hostCommand({
    name: 'keys rotate',
    summary: 'encrypt again with the current master key what can be',
    options: {},
    details: [
      'The service may run meanwhile, once every process knows the new key. It can be stopped and repeated at any time.',
      'It prints what still needs a previous key, which must stay in SVC_MASTER_KEY_PREVIOUS as long as that is so.',
    ].join('\n'),
    run: (io) => async (host, say) => {
      const report = await host.rotateMasterKeys(io.env, say);
      const moved = report.moved.map(({ rows, name }) => `Moved to the current key: ${rows} ${name}.`);
      return { document: report, text: [...moved, told(report.keys)].join('\n') };
    },
  }),
  hostCommand({
    name: 'keys abandon',
    summary: 'end what only a lost master key could read',
    positionals: '<key id>',
    options: {},
    details: [
      'For a master key that is lost for good, and only then: it cannot be undone. Sessions and pairings that need it',
      'end, webhook endpoints are disabled until their merchants make a new secret, and agents get new connection tokens',
      'when they next collect.',
    ].join('\n'),
    run(io, { positionals }) {
      const [keyId = '', ...rest] = positionals;
      if (!KEY_ID.test(keyId) || rest.length > 0)
        throw new UsageError('Name the key: its id, as keys status prints it.');
      return async (host, say) => {
        const report = await host.abandonMasterKey(io.env, say, keyId);
        const ended = report.ended.map(({ rows, name }) => `Ended: ${rows} ${name}.`);
        return { document: report, text: [...ended, told(report.keys)].join('\n') };
      };
    },
  }),
];

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
