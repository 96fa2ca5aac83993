import { count, publish, table } from '../../stage/report.ts';
import type { Tally } from '../clients/crowd.ts';

export interface Report {
  seed: string;
  machine: string;
  startedAt: string;
  durationS: number;
  rounds: number;
  clients: number;
  tenants: number;
  partitions: number;
  calls: { attempted: number; acknowledged: number; refused: number; lost: number };
  webhooksReceived: number;
  secretsIssued: number;
  faults: Record<string, number>;
  actions: Record<string, Tally>;
  oneTimeThings: Record<string, { things: number; contested: number }>;
  invariants: {
    name: string;
    checked: number;
    /** Why nothing was done about it. */
    leftOut?: string | undefined;
    violations: number;
    examples: string[];
  }[];
  /** Violations, and checks that checked nothing. */
  failures: string[];
  folder?: string | undefined;
}

export function reportText(report: Report): string {
  const lines = [
    `seed ${report.seed} · ${report.startedAt} · ${report.durationS} s · ${report.rounds} rounds · ${report.clients} clients · ${report.tenants} tenants`,
    report.machine,
    `calls: ${count(report.calls.attempted)} attempted, ${count(report.calls.acknowledged)} acknowledged, ${count(report.calls.refused)} refused, ${count(report.calls.lost)} without a response; ${count(report.webhooksReceived)} webhooks received; ${count(report.secretsIssued)} secrets issued`,
    `faults: ${Object.entries(report.faults)
      .map(([kind, times]) => `${count(times)} × ${kind}`)
      .join(', ')}`,
    '',
    ...report.invariants.map(({ name, checked, violations, leftOut }) =>
      leftOut === undefined
        ? `  ${checked === 0 ? 'EMPTY' : violations > 0 ? 'BROKEN' : 'holds '} ${name}: ${count(checked)} checked, ${violations} violations`
        : `  left out ${name}: ${leftOut}`,
    ),
    '',
    ...report.failures.map((failure) => `  ! ${failure}`),
    report.failures.length === 0 ? 'All invariants hold.' : `${report.failures.length} failures.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The run in two paragraphs. */
function runMarkdown(report: Report): string {
  const tables = report.partitions > 0 ? ` with tables in ${report.partitions} partitions` : '';
  return `${report.startedAt.slice(0, 10)}, seed \`${report.seed}\`, ${report.durationS} s in ${report.rounds} rounds, ${report.clients} concurrent clients, ${report.tenants} tenants, two service processes on one PostgreSQL${tables}. Machine: ${report.machine}.

${count(report.calls.attempted)} calls attempted, ${count(report.calls.acknowledged)} acknowledged, ${count(report.calls.refused)} refused, ${count(report.calls.lost)} left without a response by an injected failure; ${count(report.webhooksReceived)} webhooks received; ${count(report.secretsIssued)} secrets issued.`;
}

function failuresMarkdown({ failures }: Report): string {
  return failures.length === 0
    ? 'No violation.'
    : `Failures:\n\n${failures.map((failure) => `- ${failure}`).join('\n')}`;
}

/** For a run that repeats another one on a database of another layout. */
function shortMarkdown(report: Report): string {
  const checked = report.invariants.reduce((sum, invariant) => sum + invariant.checked, 0);
  return `${runMarkdown(report)}

${report.invariants.length} invariants, ${count(checked)} checks. ${failuresMarkdown(report)}
`;
}

function reportMarkdown(report: Report): string {
  return [
    runMarkdown(report),
    table(
      ['Fault', 'Times'],
      Object.entries(report.faults).map(([kind, times]) => [kind, count(times)]),
    ),
    table(
      ['Invariant', 'Checked', 'Violations'],
      report.invariants.map(({ name, checked, violations, leftOut }) =>
        leftOut === undefined ? [name, count(checked), violations] : [name, `left out: ${leftOut}`, ''],
      ),
    ),
    table(
      ['One-time thing', 'Used', 'Of these by several callers concurrently'],
      Object.entries(report.oneTimeThings).map(([thing, { things, contested }]) => [
        thing,
        things,
        contested,
      ]),
    ),
    failuresMarkdown(report),
  ].join('\n\n');
}

export async function publishRun(report: Report): Promise<void> {
  const figures = { ...report, folder: undefined };
  if (report.partitions > 0) await publish('torture', 'partitions', shortMarkdown(report), figures);
  else await publish('torture', 'run', reportMarkdown(report), figures);
}
