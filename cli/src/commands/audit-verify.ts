import { type Command, defineCommand, UsageError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { guarded, variables } from './operator.ts';

const HASH = /^sha256:[0-9a-f]{64}$/;

export const auditVerify: Command = defineCommand({
  name: 'audit verify',
  summary: 'recompute the hash chain of the audit trail',
  options: {
    head: {
      type: 'string',
      placeholder: 'hash',
      summary: 'a head published earlier that has to be on the chain',
    },
  },
  details: async () =>
    [
      'Recomputes every link from the entries as they are now, prints the head, and ends with 1 at the first link that',
      'does not hold. It may run beside the service. Heads are published at /.well-known/svc-audit-head.json; one that',
      'was kept elsewhere proves with --head that nothing before it was rewritten since.',
      '',
      await variables(),
    ].join('\n'),
  async run(io, { values: { head }, isJson }) {
    if (head !== undefined && !HASH.test(head)) throw new UsageError('--head is sha256: and 64 hex digits.');
    let holds = false;
    const code = await guarded(async (cli) => {
      const report = await cli.verifyAudit(io.env, (text) => io.stderr.write(`${text}\n`), head);
      holds = report.broken === null && report.head_found !== false;
      createOutput(io, isJson).result({ ok: holds, ...report }, told(report, head));
    });
    return code === EXIT.ok && !holds ? EXIT.refused : code;
  },
});

interface Report {
  broken: string | null;
  head: string;
  links: number;
  waiting: number;
  head_found: boolean | null;
}

function told(report: Report, wanted: string | undefined): string {
  const { broken, links, waiting, head } = report;
  const lines =
    broken === null
      ? [`The audit chain holds: ${links} links, ${waiting} entries wait for theirs.`]
      : [`The audit chain is broken after ${links} links: ${broken}.`];
  lines.push(`Head: ${head}`);
  if (report.head_found === true) lines.push(`${wanted} is on the chain.`);
  if (report.head_found === false)
    lines.push(
      `${wanted} is not on the chain: the trail was rewritten, or the head is older than the entries that are kept.`,
    );
  return lines.join('\n');
}
