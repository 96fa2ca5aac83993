import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '../../texts/common.ts';
import { locale } from '../../texts/language.ts';
import { history } from '../../texts/wallet/history.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { PartyName } from '../../ui/party-name.tsx';
import { Nickname } from '../nicknames/nickname.tsx';
import { networkTitle } from '../payments/payment.ts';
import { useWallet } from '../session/session.tsx';
import { activityQuery, useAgentNames } from './queries.ts';
import { type Spent, spendingOf } from './spending.ts';

const texts = history.spending;
/** How many payments are added up: a page is for looking at, not for book-keeping. */
const COUNTED = 500;
const MONTH = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
const ALL = { words: '', connectionId: undefined, only: 'confirmed' } as const;

/** Folded, and read only when it is opened. */
export function Spending() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="spending-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.title}</summary>
      {isOpen ? <Sums /> : null}
    </details>
  );
}

function Sums() {
  const agents = useAgentNames();
  const found = useQuery(activityQuery(useWallet(), ALL, COUNTED, agents)).data;
  if (found === undefined) return <Progress>{common.loading}</Progress>;
  if (found.payments.length === 0) return <p className="soft">{texts.none}</p>;
  const oldest = found.payments.at(-1)?.createdAt ?? '';
  return (
    <section className="stack-tight" aria-label={texts.title}>
      <p className="soft">{texts.explain}</p>
      {found.hasMore || found.isCut ? (
        <Note kind="warn">{texts.cut(found.payments.length, MONTH.format(new Date(oldest)))}</Note>
      ) : null}
      <div className="table-frame">
        <table className="spending">
          <thead>
            <tr>
              <th>{texts.month}</th>
              <th>{texts.agent}</th>
              <th>{texts.spent}</th>
            </tr>
          </thead>
          <tbody>
            {spendingOf(found.payments).map((spent) => (
              <SpentRow key={spent.key} spent={spent} agentName={agents?.get(spent.connectionId)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function SpentRow({ spent, agentName }: { spent: Spent; agentName: string | undefined }) {
  const { month, sample, sum, connectionId } = spent;
  const from = sample.issuer ?? sample.contract;
  return (
    <tr>
      <td>{MONTH.format(month)}</td>
      <td>
        {agentName === undefined ? (
          <ForeignText inline>{connectionId}</ForeignText>
        ) : (
          <PartyName inline>{agentName}</PartyName>
        )}
        <Nickname id={connectionId} />
      </td>
      <td>
        <strong>
          {sum} {sample.asset}
        </strong>
        <br />
        <span className="soft">
          {networkTitle(sample.network)}
          {from == null ? null : ` · ${from.slice(0, 6)}…${from.slice(-6)}`}
        </span>
      </td>
    </tr>
  );
}
