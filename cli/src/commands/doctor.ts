import { type Command, defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { guarded, variables } from './operator.ts';

interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'fault';
  found: string;
  fix: string | null;
}

const MARKS = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const;

export const doctor: Command = defineCommand({
  name: 'doctor',
  summary: 'check the installation, with a fix beside each finding',
  options: {},
  details: async () =>
    [
      'Looks at the settings, the database (reach, version, durability, clock, privileges, pooler, schema, master key),',
      'the disk, DNS, mail (greets the server, sends nothing), the base URL and what the proxy makes of a call. May run',
      'beside the service, with its environment, or without it. Ends with 1 when there is a fault.',
      '',
      await variables(),
    ].join('\n'),
  async run(io, { isJson }) {
    let isSound = true;
    const code = await guarded(async (cli) => {
      const report = await cli.diagnose(io.env, (text) => void io.stderr.write(`${text}\n`));
      isSound = report.ok;
      const text = report.findings.map(told).join('\n');
      createOutput(io, isJson).result({ ...report }, text);
    });
    return isSound ? code : EXIT.refused;
  },
});

function told({ check, status, found, fix }: Finding): string {
  return `${MARKS[status]}  ${check}: ${found}${fix === null ? '' : `\n         Fix: ${fix}`}`;
}
