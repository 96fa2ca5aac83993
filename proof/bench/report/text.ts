import { costLine, isReached, rangeOf, times, verdictOf, whole } from './format.ts';
import type { Report } from './model.ts';

/** The table on the terminal. */
export function toText(report: Report): string {
  const rows = report.ratios.map((ratio) => [
    ratio.isExtra ? `  ${ratio.what}` : ratio.what,
    `${whole(ratio.ours.median)}/s`,
    `${whole(ratio.limitRate.median)}/s`,
    times(ratio.ratio.median),
    rangeOf(ratio.ratio),
    ratio.reach === null ? '' : `≥ ${ratio.reach}`,
    verdictOf(isReached(ratio)),
  ]);
  const head = ['what', 'measured', 'limit', 'ratio', 'spread', 'reach', ''];
  const { machine, loadAverage } = report;
  return [
    table([head, ...rows]),
    ...report.costs.map(costLine),
    `${machine.cores} cores (${machine.processor}), Node ${machine.node}, PostgreSQL ${machine.postgres}, ` +
      `one commit ${machine.commitMs.toFixed(2)} ms; load ${loadAverage.before.toFixed(1)} before, ` +
      `${loadAverage.after.toFixed(1)} after; ${report.minutes.toFixed(1)} minutes`,
    ...report.faults.map((fault) => `NOT MEASURED: ${fault}`),
    ...(report.isQuick ? ['quick: shows that it works, the figures mean little'] : []),
  ].join('\n');
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
