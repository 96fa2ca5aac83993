import { EXIT, UsageError } from '../command.ts';
import { hostCommand } from './host.ts';

const MARKS = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const;
const HASH = /^sha256:[0-9a-f]{64}$/;

export const commands = [
  hostCommand({
    name: 'doctor',
    summary: 'check the installation, with a fix for each finding',
    options: {},
    details: [
      'Checks the settings, the database (reach, version, durability, clock, privileges, pooler, schema, master key),',
      'the disk, DNS, mail (greets the server, sends nothing), the base URL and what the proxy makes of a call. May run',
      'while the service runs, with its environment, or without it. Ends with 1 when a check fails.',
    ].join('\n'),
    run: (io) => async (host, say) => {
      const report = await host.diagnose(io.env, say);
      const lines = report.findings.map(
        ({ check, status, found, fix }) =>
          `${MARKS[status]}  ${check}: ${found}${fix === null ? '' : `\n         Fix: ${fix}`}`,
      );
      return {
        document: report,
        text: lines.join('\n'),
        exitCode: report.ok ? EXIT.ok : EXIT.refused,
      };
    },
  }),
  hostCommand({
    name: 'audit verify',
    summary: 'recompute the hash chain of the audit trail',
    options: {
      head: {
        type: 'string',
        placeholder: 'hash',
        summary: 'a head published earlier that has to be on the chain',
      },
    },
    details: [
      'Recomputes every link from the entries as they are now, prints the head, and ends with 1 at the first link that',
      'does not hold. The service may run meanwhile. Heads are published at /.well-known/svc-audit-head.json; one that',
      'was kept elsewhere proves with --head that nothing before it was rewritten since.',
    ].join('\n'),
    run(io, { values: { head } }) {
      if (head !== undefined && !HASH.test(head))
        throw new UsageError('--head is sha256: and 64 hex digits.');
      return async (host, say) => {
        const report = await host.verifyAudit(io.env, say, head);
        const ok = report.broken === null && report.head_found !== false;
        return {
          document: { ok, ...report },
          text: chainText(report, head),
          exitCode: ok ? EXIT.ok : EXIT.refused,
        };
      };
    },
  }),
];

interface ChainReport {
  broken: string | null;
  head: string;
  links: number;
  waiting: number;
  head_found: boolean | null;
}

function chainText(report: ChainReport, wanted: string | undefined): string {
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
