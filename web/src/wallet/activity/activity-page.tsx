import { addDecimals } from '@payassent/protocol';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { common } from '../../texts/common.ts';
import { locale } from '../../texts/language.ts';
import { history as texts } from '../../texts/wallet/history.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText, PartyName, partyNameText } from '../../ui/foreign-text.tsx';
import { EmptyState, Note, Progress } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { PaymentList } from '../inbox/payment-list.tsx';
import { Nickname } from '../nicknames/nickname.tsx';
import { networkTitle, type Payment } from '../payments/payment.ts';
import { MOST_RECORDS } from '../read-up-to.ts';
import { useWallet } from '../session/session.tsx';
import { activityQuery, useAgentNames } from './read-activity.ts';
import './activity.css';

const STEP = 20;

/** Every decided or paid payment, newest first. The search is in the address. */
export function ActivityPage() {
  // The router only triggers the update; its own parsing decodes the address twice.
  useSearch();
  const chosen = new URLSearchParams(location.search);
  const words = chosen.get('q') ?? '';
  const connectionId = chosen.get('agent') ?? undefined;
  return (
    <Page title={texts.title}>
      <Search words={words} connectionId={connectionId} key={`${words}/${connectionId}`} />
      <Spending />
      <Found words={words} connectionId={connectionId} key={`found/${words}/${connectionId}`} />
    </Page>
  );
}

interface Choice {
  words: string;
  connectionId: string | undefined;
}

function Search({ words, connectionId }: Choice) {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState(words);
  const agents = useAgentNames();
  const show = (q: string, agent: string) => {
    const query = new URLSearchParams({ ...(q.trim() && { q: q.trim() }), ...(agent && { agent }) });
    navigate(query.size === 0 ? '/activity' : `/activity?${query}`);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    show(typed, connectionId ?? '');
  };
  const choices = [...(agents ?? [])].map(([value, name]) => ({ value, label: partyNameText(name) }));
  return (
    <form className="activity-search" onSubmit={submit}>
      <TextField
        label={texts.search}
        hint={texts.searchHint}
        type="search"
        maxLength={100}
        value={typed}
        onValue={setTyped}
      />
      <SelectField
        label={texts.agent}
        value={connectionId ?? ''}
        choices={[{ value: '', label: texts.everyAgent }, ...choices]}
        onValue={(value) => show(typed, value)}
      />
      <Button type="submit">{texts.find}</Button>
    </form>
  );
}

function Found({ words, connectionId }: Choice) {
  const [most, setMost] = useState(STEP);
  const agents = useAgentNames();
  const filter = { words, connectionId, only: 'decided' } as const;
  const query = useQuery(activityQuery(useWallet(), filter, most, agents));
  return (
    <section className="stack" aria-label={texts.list}>
      <QueryView query={query}>
        {({ payments, hasMore, isCut }) => (
          <>
            {payments.length === 0 ? (
              <EmptyState title={words || connectionId ? texts.nothingFound : texts.emptyTitle}>
                {words || connectionId ? texts.nothingFoundText : texts.empty}
              </EmptyState>
            ) : null}
            <PaymentList level="h2" payments={payments} momentOf={({ createdAt }) => createdAt} />
            {hasMore ? (
              <Button isBusy={query.isPlaceholderData} onClick={() => setMost(most + STEP)}>
                {texts.more}
              </Button>
            ) : null}
            {isCut ? <Note kind="warn">{texts.cut(MOST_RECORDS)}</Note> : null}
          </>
        )}
      </QueryView>
    </section>
  );
}

const spendingTexts = texts.spending;
/** How many payments are added up: the page gives an overview, not accounts. */
const COUNTED = 500;
const MONTH = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
const ALL = { words: '', connectionId: undefined, only: 'confirmed' } as const;

/** Folded, and read only when it is opened. */
function Spending() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="spending-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{spendingTexts.title}</summary>
      {isOpen ? <Sums /> : null}
    </details>
  );
}

function Sums() {
  const agents = useAgentNames();
  const found = useQuery(activityQuery(useWallet(), ALL, COUNTED, agents)).data;
  if (found === undefined) return <Progress>{common.loading}</Progress>;
  if (found.payments.length === 0) return <p className="soft">{spendingTexts.none}</p>;
  const oldest = found.payments.at(-1)?.createdAt ?? '';
  return (
    <section className="stack-tight" aria-label={spendingTexts.title}>
      <p className="soft">{spendingTexts.explain}</p>
      {found.hasMore || found.isCut ? (
        <Note kind="warn">{spendingTexts.cut(found.payments.length, MONTH.format(new Date(oldest)))}</Note>
      ) : null}
      <div className="table-frame">
        <table className="spending">
          <thead>
            <tr>
              <th>{spendingTexts.month}</th>
              <th>{spendingTexts.agent}</th>
              <th>{spendingTexts.spent}</th>
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

interface Spent {
  key: string;
  /** The first day of the month, in the customer's time zone. */
  month: Date;
  connectionId: string;
  /** One of the added payments: all have its asset. */
  sample: Payment['facts'];
  sum: string;
}

/** A payment that the chain contradicts was not spent, whatever the wallet reported. */
const NOT_SPENT: readonly unknown[] = ['failed_on_chain', 'mismatch'];

/** Sums per month, agent and asset; equal names are different assets when network, issuer or contract differ. */
function spendingOf(payments: readonly Payment[]): Spent[] {
  const sums = new Map<string, Spent>();
  for (const { status, settlement, createdAt, connectionId, facts } of payments) {
    if (status !== 'confirmed' || NOT_SPENT.includes(settlement?.state)) continue;
    const day = new Date(createdAt);
    const month = new Date(day.getFullYear(), day.getMonth());
    const { network, asset, issuer, contract, amount } = facts;
    const key = JSON.stringify([month, connectionId, network, asset, issuer ?? null, contract ?? null]);
    const sum = addDecimals(sums.get(key)?.sum ?? '0', amount);
    sums.set(key, { key, month, connectionId, sample: facts, sum });
  }
  return [...sums.values()].sort((a, b) => b.month.getTime() - a.month.getTime());
}
