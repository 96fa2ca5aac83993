import type { PaymentRequestStatus } from '@payassent/sdk';
import { type ReactNode, useEffect, useState } from 'react';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { StatusFilter, useUrlFilters } from '../parts/lists.tsx';

const texts = paymentRequests.filters;

const STATUSES: readonly PaymentRequestStatus[] = [
  'pending',
  'signed',
  'broadcasted',
  'confirmed',
  'rejected',
  'expired',
  'failed',
];

/** As the API takes them. */
export interface ListFilters {
  status?: PaymentRequestStatus;
  connection_id?: string;
  q?: string;
  created_after?: string;
  created_before?: string;
}

/** Whole days in the reader's time zone, the last one included. */
function midnight(day: string | null, days: number): string | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '');
  if (parts === null) return undefined;
  const date = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + days);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The filters in the address. */
export function useListFilters(connectionId: string | undefined): ListFilters {
  const [query] = useUrlFilters();
  const status = STATUSES.find((one) => one === query.get('status'));
  const after = midnight(query.get('from'), 0);
  const before = midnight(query.get('to'), 1);
  const words = query.get('q')?.trim().slice(0, 200);
  return {
    ...(status ? { status } : {}),
    ...(words ? { q: words } : {}),
    ...(after ? { created_after: after } : {}),
    ...(before ? { created_before: before } : {}),
    ...(connectionId ? { connection_id: connectionId } : {}),
  };
}

const PAUSE_MS = 300;

export function FilterBar({ children }: { children: ReactNode }) {
  const [query, choose] = useUrlFilters();
  const status = STATUSES.find((one) => one === query.get('status'));
  const isChosen = ['status', 'q', 'from', 'to'].some((name) => query.has(name));
  return (
    <search className="filters">
      <Words />
      <StatusFilter
        label={paymentRequests.filter}
        statuses={STATUSES}
        value={status}
        onChange={(value) => choose({ status: value })}
      />
      {(['from', 'to'] as const).map((name) => (
        <div className="filter" data-size="day" key={name}>
          <TextField
            label={texts[name]}
            type="date"
            value={query.get(name) ?? ''}
            onValue={(value) => choose({ [name]: value })}
          />
        </div>
      ))}
      {isChosen ? (
        <Button kind="plain" onClick={() => choose({ status: '', q: '', from: '', to: '' })}>
          {texts.clear}
        </Button>
      ) : null}
      {children}
    </search>
  );
}

/** Searches when the typing pauses. */
function Words() {
  const [query, choose] = useUrlFilters();
  const chosen = query.get('q') ?? '';
  const [words, setWords] = useState(chosen);
  const [known, setKnown] = useState(chosen);
  if (known !== chosen) {
    setKnown(chosen);
    if (words.trim() !== chosen) setWords(chosen);
  }
  useEffect(() => {
    if (words.trim() === chosen) return;
    const timer = setTimeout(() => choose({ q: words.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div className="filter">
      <TextField
        label={texts.words}
        type="search"
        maxLength={200}
        placeholder={texts.hint}
        value={words}
        onValue={setWords}
      />
    </div>
  );
}
