import { networkRow } from '@payassent/protocol';
import type { Figures } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { money as texts } from '../../texts/portal/money.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Badge, Note } from '../../ui/notes.tsx';
import { countWords, percentWords } from '../../ui/numbers.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { durationWords } from '../parts/figures.ts';
import { Table } from '../parts/lists.tsx';
import './charts.css';

const EVERY_MS = 30_000;
const DAY_MS = 86_400_000;

/** What was paid and how customers decide. Settlement and the reports of wallets are shown apart. */
export function Money() {
  const query = useQuery({
    queryKey: ['home', 'figures'],
    queryFn: async ({ signal }) => {
      const today = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
      return (await merchantClient.organization.figures({ today }, { signal })).figures;
    },
    refetchInterval: EVERY_MS,
  });
  return (
    <section className="section" aria-labelledby="money-title">
      <h2 id="money-title">{texts.title}</h2>
      <QueryView query={query}>
        {(figures) => (
          <div className="stack">
            <Tiles figures={figures} />
            <Received figures={figures} />
          </div>
        )}
      </QueryView>
    </section>
  );
}

function Tiles({ figures }: { figures: Figures }) {
  const { approved, rejected, undecided, waiting, median_decision_ms: median } = figures;
  const decided = approved + rejected;
  return (
    <dl className="tiles">
      <Tile name={texts.waiting} value={countWords(waiting)}>
        <Link href="/payment-requests?status=pending">{texts.waitingHint}</Link>
      </Tile>
      <Tile name={texts.rate} value={decided === 0 ? texts.none : percentWords(approved / decided)}>
        {texts.rateOf(countWords(approved), countWords(decided))}
      </Tile>
      <Tile name={texts.median} value={medianWords(median)}>
        {texts.medianHint}
      </Tile>
      <Tile name={texts.ended} value={countWords(undecided)}>
        {texts.endedHint}
      </Tile>
    </dl>
  );
}

function medianWords(ms: number | null): string {
  if (ms === null) return texts.none;
  return ms < 1000 ? texts.underASecond : durationWords(ms);
}

function Tile({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="card tile">
      <dt>{name}</dt>
      <dd className="tile-value">{value}</dd>
      <dd className="soft">{children}</dd>
    </div>
  );
}

const TONES = { final: 'good', reported: 'plain', disputed: 'bad' } as const;

function Received({ figures }: { figures: Figures }) {
  const { received, today, complete_since: since } = figures;
  if (received.length === 0) return <p className="card soft">{texts.empty}</p>;
  const isCut = Date.parse(since) > Date.parse(today) - 29 * DAY_MS;
  return (
    <div className="stack">
      {isCut ? (
        <Note kind="warn">
          <span>
            {texts.incomplete} <Moment>{since}</Moment>
          </span>
        </Note>
      ) : null}
      <Table label={texts.received} heads={[texts.asset, texts.word, ...Object.values(texts.periods)]}>
        {received.map((row) => (
          <tr key={[row.network, row.asset, row.issuer, row.contract, row.standing].join(' ')}>
            <th scope="row">
              <ForeignText inline>{row.asset}</ForeignText>
              <div className="soft">{networkRow(row.network).title}</div>
            </th>
            <td>
              <Badge tone={TONES[row.standing]}>{texts.standings[row.standing]}</Badge>
            </td>
            {(['today', 'week', 'month'] as const).map((period) => (
              <td key={period} className="amount-cell" data-is-long={row[period].length > 14}>
                {row[period]}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      <p className="soft">{texts.note}</p>
    </div>
  );
}
