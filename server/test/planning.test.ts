import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
const [planning, growth, bench, drills, torture] = [
  'operators/planning.md',
  'proof/growth.md',
  'proof/bench.md',
  'proof/drills.md',
  'proof/torture.md',
].map(read) as [string, string, string, string, string];

/** The cells of the row of a table that begins so. */
function row(text: string, head: string): string[] {
  const line = text.split('\n').find((each) => each.startsWith(`| ${head}`));
  if (line === undefined) throw new Error(`no row ${head}`);
  return line
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
}

const RATES = [10, 100, 1000];
const BUSY = 0.4;
const MODEL = { create: 1, 'status report': 2, read: 4, poll: 10 };

/** Microseconds of a request with all its calls, in the service and in PostgreSQL, with ten million stored. */
function costs(): [service: number, database: number] {
  const cells = Object.entries(MODEL).map(([call, times]) => {
    // The first table of this name counts pages, the second one time.
    const [, times_] = growth.split('| Processor time');
    const [service = 0, database = 0] = (row(times_ ?? '', `${call}, one table`).at(-1) ?? '')
      .split(' + ')
      .map(Number);
    return [service * times, database * times] as const;
  });
  return [cells.reduce((sum, [each]) => sum + each, 0), cells.reduce((sum, [, each]) => sum + each, 0)];
}

describe('the page for planning', () => {
  it('has cores and memory as they follow from the measured costs', () => {
    const [service, database] = costs();
    const coresOf = (us: number) => RATES.map((rate) => String(Math.ceil((rate * us) / 1e6 / BUSY)));
    expect(planning).toContain(`takes ${(service / 1000).toFixed(1)} ms of processor time in the service`);
    expect(planning).toContain(`and ${(database / 1000).toFixed(1)} ms in PostgreSQL`);
    expect(row(planning, 'cores of the service')).toEqual(coresOf(service));
    expect(row(planning, 'cores of PostgreSQL')).toEqual(coresOf(database));
    const memory = coresOf(service).map((workers) => `${Number(workers) / 2} GiB`);
    expect(row(planning, 'memory of the service')).toEqual(memory);
    const days = row(growth, 'kept forever, a day').slice(0, RATES.length);
    expect(row(planning, 'memory of PostgreSQL')).toEqual(
      days.map((day) => `${Math.ceil(Number.parseFloat(day) + 2)} GB`),
    );
  });

  it('has disk and log as they were computed', () => {
    const first = (head: string) => row(growth, head).slice(0, RATES.length);
    expect(row(planning, 'disk kept forever, a year')).toEqual(first('kept forever, a year'));
    expect(row(planning, 'log of PostgreSQL')).toEqual(first('log, a second'));
    const bytes = (cell: string) => {
      const [, size = '', unit = ''] = /, ([\d.]+) (GB|TB)$/.exec(cell) ?? [];
      return Number(size) * (unit === 'TB' ? 1000 : 1);
    };
    const [attempts, messages] = [first('webhook attempts kept'), first('webhook messages kept')];
    const sums = attempts.map((cell, index) => bytes(cell) + bytes(messages[index] ?? ''));
    const shown = sums.map((sum) => (sum >= 1000 ? `${(sum / 1000).toFixed(1)} TB` : `${sum} GB`));
    expect(row(planning, 'disk for webhooks')).toEqual(shown);
    const [most = ''] = row(bench, 'memory of the service at its highest');
    expect(planning).toContain(`A process took ${most} at its highest`);
  });

  it('has times and losses as the drills published them', () => {
    for (const [what, head] of [
      ['machine gone', 'machine killed'],
      ['PostgreSQL killed', 'PostgreSQL killed'],
      ['network cut', 'network cut'],
      ['switchover', 'switchover'],
    ] as const) {
      const [, least, median, most] = row(drills, head);
      const cells = [what, '0', `${least} to ${most}, median ${median}`];
      expect(planning).toContain(`| Patroni, strictly synchronous | ${cells.join(' | ')} |`);
    }
    const [, records, missing, seconds] = row(torture, 'asynchronous');
    expect(planning).toContain(`${missing} of ${records} records | ${seconds} |`);
    expect(planning).toContain(`| machine gone | 0 | ${row(torture, 'synchronous').at(-1)} |`);
    for (const what of ['machine', 'coordinator']) {
      const longest = row(drills, `${what === 'machine' ? 'a' : 'the'} ${what} killed and started again`).at(
        -1,
      );
      const shown = what === 'machine' ? 'worker' : what;
      expect(planning).toContain(`| ${shown} killed and started again | 0 | ${longest} |`);
    }
    expect(drills).toContain('0 lost, 0 violations of 28 invariants');
  });
});
