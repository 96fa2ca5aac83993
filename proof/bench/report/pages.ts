import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say, table } from '../../stage/report.ts';
import { ROOT } from '../../stage/root.ts';
import { toSvg } from './chart.ts';
import {
  amountOf,
  costLine,
  isReached,
  isWithin,
  micros,
  ms,
  type Ratio,
  type Report,
  rangeOf,
  targetOf,
  times,
  verdictOf,
  whole,
} from './model.ts';

export async function writeReport(
  report: Report,
  { outDir, isPublished }: { outDir: string; isPublished: boolean },
): Promise<void> {
  const template = await readFile(join(ROOT, 'proof/bench/BENCH.template.md'), 'utf8');
  await writeFiles(report, {
    folder: outDir,
    figures: 'bench.json',
    page: join(outDir, 'BENCH.md'),
    markdown: toMarkdown(template, report, { chartFolder: '', others: [] }),
  });
  say(`\n${toText(report)}\n\nThe report is in ${outDir}.`);
  if (!isPublished) return;
  const folder = join(ROOT, 'docs/proof/bench');
  const figures = `${report.machine.arch}.json`;
  const others = await readOthers(folder, figures);
  await writeFiles(report, {
    folder,
    figures,
    page: join(ROOT, 'docs/proof/bench.md'),
    markdown: toMarkdown(template, report, { chartFolder: 'bench/', others }),
  });
  say('docs/proof/bench.md and docs/proof/bench were written.');
}

/** On the terminal. */
function toText(report: Report): string {
  return [
    ratioTable(report.ratios),
    ...report.costs.map(costLine),
    `${machineLine(report)} ${runLine(report)}`,
    ...report.faults.map((fault) => `NOT MEASURED: ${fault}`),
  ].join('\n');
}

/** What was published of other architectures. */
async function readOthers(folder: string, own: string): Promise<Report[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json') && file !== own).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.map((text) => JSON.parse(text) as Report);
}

async function writeFiles(
  report: Report,
  { folder, figures, page, markdown }: { folder: string; figures: string; page: string; markdown: string },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, figures), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(page, markdown);
  for (const curve of report.curves) await writeFile(join(folder, curve.file), toSvg(curve));
}

/** Fills the places `{{name}}` of the template; the words around them stay as they are written there. */
function toMarkdown(
  template: string,
  report: Report,
  { chartFolder, others }: { chartFolder: string; others: readonly Report[] },
): string {
  const places: Record<string, string> = {
    machine: machineLine(report),
    run: runLine(report),
    ratios: ratioTable(report.ratios.filter((ratio) => !ratio.isExtra)),
    extras: ratioTable(report.ratios.filter((ratio) => ratio.isExtra)),
    missed: missedList(report),
    limits: limitList(report),
    others: others.map(otherMachine).join('\n\n'),
    cpu: cpuTable(report),
    costs: costTable(report),
    latency: latencyTable(report),
    resources: table(
      ['What', 'Measured'],
      report.resources.map(({ what, value }) => [what, value]),
    ),
    profiles: profileTables(report),
    charts: report.curves.map((curve) => `![${curve.title}](${chartFolder}${curve.file})`).join('\n\n'),
  };
  const filled = template.replace(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const text = places[name];
    if (text === undefined) throw new Error(`the template refers to ${place}`);
    return text === '' ? '*(not measured in this run)*' : text;
  });
  return `${filled.trimEnd()}\n`;
}

function otherMachine(report: Report): string {
  return [
    `### ${report.machine.arch}`,
    `Machine: ${machineLine(report)}`,
    `Run: ${runLine(report)} Targets are those of that day.`,
    ratioTable(report.ratios.filter((ratio) => !ratio.isExtra)),
    cpuTable(report),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function machineLine({ machine }: Report): string {
  const settings = Object.entries(machine.settings)
    .sort()
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
  return (
    `${machine.cores} cores (${machine.processor}, ${machine.arch}), ${machine.memoryGiB} GiB of memory, ${machine.platform}, ` +
    `Node ${machine.node}, embedded PostgreSQL ${machine.postgres} (${settings}). ` +
    `One insert with its commit, alone: ${machine.commitMs.toFixed(2)} ms.`
  );
}

function runLine(report: Report): string {
  const { before, after } = report.loadAverage;
  return (
    `${report.date}, ${report.minutes.toFixed(0)} minutes; ${report.rounds} rounds of ${report.legSeconds} s stretches; ` +
    `load average ${before.toFixed(1)} before the run and ${after.toFixed(1)} after it, which includes the bench itself.` +
    (before > report.machine.cores
      ? ' **The machine was busy with other work when the run began: these figures are provisional, and a ratio with a wide spread means little.**'
      : '') +
    (report.isQuick ? ' A quick run: the figures only show that it works.' : '')
  );
}

function ratioTable(rows: readonly Ratio[]): string {
  return table(
    ['What', 'Measured', 'Limit', 'Ratio', 'Spread', 'Reach', ''],
    rows.map((row) => [
      row.what,
      `${whole(row.ours.median)}/s`,
      `${whole(row.limitRate.median)}/s`,
      `**${times(row.ratio.median)}**`,
      rangeOf(row.ratio),
      row.reach === null ? 'reported' : `≥ ${row.reach} ×`,
      verdictOf(isReached(row)),
    ]),
  );
}

function missedList(report: Report): string {
  const missed = report.ratios.filter((ratio) => isReached(ratio) === false);
  const tooMuch = report.costs.filter((cost) => isWithin(cost) === false);
  const judged = [...report.ratios.map(isReached), ...report.costs.map(isWithin)].filter(
    (verdict) => verdict !== undefined,
  );
  if (judged.length === 0) return '';
  const faults = report.faults.map((fault) => `- Not measured in this run: ${fault}.`);
  if (missed.length + tooMuch.length === 0)
    return ['Every target that was measured was reached.', ...faults].join('\n\n');
  return [
    `Missed in this run, ${missed.length + tooMuch.length} of ${judged.length}:`,
    '',
    ...faults,
    ...missed.map((row) => `- ${row.what}: ${times(row.ratio.median)} of the required ≥ ${row.reach} ×.`),
    ...tooMuch.map((cost) => `- ${cost.what}: ${amountOf(cost)} of the required ${targetOf(cost)}.`),
  ].join('\n');
}

function limitList(report: Report): string {
  return report.ratios.map((row) => `- ${row.what}: ${row.limit}.`).join('\n');
}

function cpuTable(report: Report): string {
  return table(
    ['Call', 'Service', 'PostgreSQL', 'Limit', 'PostgreSQL for the limit'],
    report.ratios
      .filter((row) => row.serviceCpuMs !== undefined)
      .map((row) => [
        row.what,
        micros(row.serviceCpuMs),
        micros(row.databaseCpuMs),
        micros(row.limitCpuMs),
        micros(row.limitDatabaseCpuMs),
      ]),
  );
}

function costTable(report: Report): string {
  return table(
    ['What', 'Measured', 'Target', ''],
    report.costs.map((cost) => [cost.what, amountOf(cost), targetOf(cost), verdictOf(isWithin(cost))]),
  );
}

function latencyTable(report: Report): string {
  return table(
    ['Call', 'Arrivals', 'p50', 'p90', 'p99', 'p99.9', 'worst'],
    report.latencies.map(({ what, ratePerS, latency }) => [
      what,
      `${whole(ratePerS)}/s`,
      ...[latency.p50Ms, latency.p90Ms, latency.p99Ms, latency.p999Ms, latency.maxMs].map(
        (value) => `${ms(value)} ms`,
      ),
    ]),
  );
}

function profileTables(report: Report): string {
  return report.profiles
    .map(({ what, parts, functions }) => {
      const list = (rows: typeof parts) =>
        rows.map((row) => `${row.what} ${(row.share * 100).toFixed(1)} %`).join(' · ');
      return `**${what}**\n\nBy part: ${list(parts.slice(0, 10))}\n\nBy function: ${list(functions)}`;
    })
    .join('\n\n');
}
