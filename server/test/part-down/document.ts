import { CALLS } from './calls.ts';

const HEAD = `<!-- Written by server/test/part-down (npx vitest run --project slow server/test/part-down -u). Do not edit. -->

# What works when a part is down

Measured: a service of two workers with a PostgreSQL and its standby, a mail server, a name server, a witness, a source of a chain and a receiver of webhooks, all real and on one machine. One part after the other is taken away, and the same calls are made, each on a new connection. A call on a connection to a worker that hangs ends with the time-out of the client; repeated, it succeeds.

- **yes**: the call succeeds, and what it causes comes within seconds.
- **later**: the call succeeds immediately. What it causes comes automatically when the part is back.
- **503**: the call is refused with \`Retry-After\`, and nothing is half done. Clients repeat it with the same idempotency key.
- **yes or 503**: until what is there is full, some such calls still succeed.
- Another status is the response of the call; its error names the next step.
`;

const TAIL = `Where a connection breaks, because a worker was killed, the call was repeated once, as the SDK does.

A full disk refuses what needs room. When the journal finds no room either, PostgreSQL ends: then everything is 503 until there is room and it is started again.

A process notices within ten seconds that commits wait for a standby. Until then they hold connections, and reads may get 503 too.

On a [distributed database](scaling.md#several-machines) a worker that is away costs its merchants 503, and a coordinator that is away is as PostgreSQL that is away. The [drills](../proof/drills.md#citus) kill both under load.
`;

/** As many calls as a page is wide. */
const CALLS_OF_A_TABLE = 6;

/** Each call by part. */
export function documentOf(measured: ReadonlyMap<string, readonly string[]>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const tableFrom = (first: number) => {
    const some = <Cell>(cells: readonly Cell[]) => cells.slice(first, first + CALLS_OF_A_TABLE);
    const names = some(CALLS.map(({ name }) => name));
    const rows = [...measured].map(([part, cells]) => line([part, ...some(cells)]));
    return [line(['Away', ...names]), line(['---', ...names.map(() => '---')]), ...rows, ''].join('\n');
  };
  return [HEAD, tableFrom(0), tableFrom(CALLS_OF_A_TABLE), TAIL].join('\n');
}

/** The content of a document: the cells of each part, of one table after the other. */
export function rowsOf(document: string): Map<string, string[]> {
  const rows = new Map<string, string[]>();
  for (const line of document.split('\n').filter((each) => each.startsWith('| '))) {
    const [part = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    rows.set(part, [...(rows.get(part) ?? []), ...cells]);
  }
  return rows;
}
