import { cpus, platform, release, totalmem } from 'node:os';
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
  /** Violations, and checks that looked at nothing. */
  failures: string[];
  folder?: string | undefined;
}

export function describeMachine(): string {
  const list = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${list.length} × ${list[0]?.model.trim() ?? 'unknown processor'}, ${memory} GiB, ${platform()} ${release()}, Node ${process.versions.node}`;
}

const number = (value: number) => value.toLocaleString('en-US');

export function reportText(report: Report): string {
  const lines = [
    `seed ${report.seed} · ${report.startedAt} · ${report.durationS} s · ${report.rounds} rounds · ${report.clients} clients · ${report.tenants} tenants`,
    report.machine,
    `calls: ${number(report.calls.attempted)} attempted, ${number(report.calls.acknowledged)} acknowledged, ${number(report.calls.refused)} refused, ${number(report.calls.lost)} without an answer; ${number(report.webhooksReceived)} webhooks received; ${number(report.secretsIssued)} secrets issued`,
    `faults: ${Object.entries(report.faults)
      .map(([kind, count]) => `${number(count)} × ${kind}`)
      .join(', ')}`,
    '',
    ...report.invariants.map(({ name, checked, violations, leftOut }) =>
      leftOut === undefined
        ? `  ${checked === 0 ? 'EMPTY' : violations > 0 ? 'BROKEN' : 'holds '} ${name}: ${number(checked)} checked, ${violations} violations`
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
  return `${report.startedAt.slice(0, 10)}, seed \`${report.seed}\`, ${report.durationS} s in ${report.rounds} rounds, ${report.clients} clients at once, ${report.tenants} tenants, two service processes on one PostgreSQL${tables}. Machine: ${report.machine}.

${number(report.calls.attempted)} calls attempted, ${number(report.calls.acknowledged)} acknowledged, ${number(report.calls.refused)} refused, ${number(report.calls.lost)} left without an answer by a fault; ${number(report.webhooksReceived)} webhooks received; ${number(report.secretsIssued)} secrets issued.`;
}

function failuresMarkdown({ failures }: Report): string {
  return failures.length === 0
    ? 'No violation.'
    : `Failures:\n\n${failures.map((failure) => `- ${failure}`).join('\n')}`;
}

/** For a run that repeats another one on a database of another layout. */
export function shortMarkdown(report: Report): string {
  const checked = report.invariants.reduce((sum, invariant) => sum + invariant.checked, 0);
  return `${runMarkdown(report)}

${report.invariants.length} invariants, ${number(checked)} checks. ${failuresMarkdown(report)}
`;
}

export function reportMarkdown(report: Report): string {
  const rows = (entries: readonly (readonly (string | number)[])[]) =>
    entries.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `${runMarkdown(report)}

| Fault | Times |
|---|---|
${rows(Object.entries(report.faults).map(([kind, count]) => [kind, number(count)]))}

| Invariant | Checked | Violations |
|---|---|---|
${rows(
  report.invariants.map(({ name, checked, violations, leftOut }) =>
    leftOut === undefined ? [name, number(checked), violations] : [name, `left out: ${leftOut}`, ''],
  ),
)}

| One-time thing | Used | Of these by several at once |
|---|---|---|
${rows(Object.entries(report.oneTimeThings).map(([thing, { things, contested }]) => [thing, things, contested]))}

${failuresMarkdown(report)}
`;
}
