import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { history as texts } from '../../texts/wallet/history.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { partyNameText } from '../../ui/party-name.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { PaymentRow } from '../inbox/payment-row.tsx';
import { MOST_RECORDS } from '../lists/read-up-to.ts';
import { isPaid } from '../payments/payment.ts';
import { receiptPath } from '../payments/places.ts';
import { useWallet } from '../session/session.tsx';
import { activityQuery, useAgentNames } from './queries.ts';
import { Spending } from './spending-table.tsx';
import './activity.css';

const STEP = 20;

/** Everything that was decided or paid, newest first. What is looked for stands in the address. */
export function ActivityPage() {
  // The router says that the address has changed; its own reading of it decodes twice.
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
        onChange={(event) => setTyped(event.target.value)}
      />
      <SelectField
        label={texts.agent}
        value={connectionId ?? ''}
        choices={[{ value: '', label: texts.everyAgent }, ...choices]}
        onChange={(event) => show(typed, event.target.value)}
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
            <ul className="wallet-list">
              {payments.map((payment) => (
                <li key={payment.key}>
                  <PaymentRow
                    payment={payment}
                    extra={
                      isPaid(payment) ? (
                        <Link className="button" data-kind="plain" href={receiptPath(payment)}>
                          {texts.receipt.title}{' '}
                          <span className="visually-hidden">
                            {payment.facts.amount} {payment.facts.asset}
                          </span>
                        </Link>
                      ) : null
                    }
                  />
                </li>
              ))}
            </ul>
            {hasMore ? (
              <div>
                <Button isBusy={query.isPlaceholderData} onClick={() => setMost(most + STEP)}>
                  {texts.more}
                </Button>
              </div>
            ) : null}
            {isCut ? <Note kind="warn">{texts.cut(MOST_RECORDS)}</Note> : null}
          </>
        )}
      </QueryView>
    </section>
  );
}
