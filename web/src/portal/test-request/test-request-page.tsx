import { networkRow } from '@payassent/protocol';
import { NotApprovedError, type PaymentRequest } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { testRequestTexts as texts } from '../../texts/portal/test-request.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { EmptyState, Note, Progress } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { PaymentBadge, statusWord } from '../parts/lists.tsx';
import { LiveMark } from '../parts/live.tsx';
import { Deliveries } from '../payment-requests/deliveries.tsx';
import { Timeline, usePaymentRequest } from '../payment-requests/timeline.tsx';
import { useMerchant } from '../session.ts';
import { offeredPage, PendingMerchant } from '../shell/offered.tsx';
import { findTestPayee, type TestPayee } from './test-run.ts';
import { useTestRun } from './use-test-run.ts';

/** The last step of set-up: the whole way of a payment, with the merchant as the customer. */
export const TestRequestPage = offeredPage('POST /v1/agents', function TestRequestPage() {
  const isPending = useMerchant().status === 'pending';
  const payee = useQuery({
    queryKey: ['recipients', 'for-test'],
    queryFn: ({ signal }) => findTestPayee(signal),
    enabled: !isPending,
  });
  return (
    <Page title={texts.title} actions={<Link href="/">{texts.back}</Link>}>
      <p className="soft">{texts.lead}</p>
      {isPending ? (
        <PendingMerchant />
      ) : (
        <QueryView query={payee}>
          {(found) => (found === null ? <NoPayee /> : <Test payee={found} />)}
        </QueryView>
      )}
    </Page>
  );
});

function NoPayee() {
  const { title, text, action } = texts.noPayee;
  return (
    <EmptyState
      title={title}
      action={
        <Link href="/recipients/new" className="button" data-kind="main">
          {action}
        </Link>
      }
    >
      {text}
    </EmptyState>
  );
}

function Test({ payee }: { payee: TestPayee }) {
  const { state, start, again } = useTestRun();
  const [amount, setAmount] = useState('1');
  if (state.step === 'pairing') return <Pairing code={state.code} />;
  if (state.step === 'asked') return <Asked request={state.request} onAgain={again} />;
  const { version } = payee;
  const { error } = state;
  const isClosed = error instanceof NotApprovedError;
  return (
    <section className="card section" aria-labelledby="test-start">
      <h2 id="test-start">{texts.start.title}</h2>
      <p>{texts.start.lead}</p>
      <Facts
        facts={[
          [
            recipientTexts.facts.name,
            <ForeignText key="name" inline>
              {version.name}
            </ForeignText>,
          ],
          [recipientTexts.facts.network, networkRow(version.network).title],
          [recipientTexts.facts.asset, version.asset],
        ]}
      />
      {isClosed ? <Note kind="warn">{texts.pairing.closed}</Note> : null}
      <Form
        action={texts.start.action}
        error={isClosed ? undefined : error}
        run={() => start(payee, amount.trim())}
      >
        <TextField
          label={texts.start.amount}
          name="payment.amount"
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]+)?"
          required
          value={amount}
          onValue={setAmount}
        />
      </Form>
    </section>
  );
}

/** A wallet of this installation opens with the code; the phone's camera opens the same address. */
function Pairing({ code }: { code: string }) {
  const place = `/wallet/connect#${code}`;
  return (
    <section className="card section" aria-labelledby="test-pairing">
      <h2 id="test-pairing">{texts.pairing.title}</h2>
      <p>{texts.pairing.lead}</p>
      <a className="button" data-kind="main" href={place} target="_blank" rel="noreferrer">
        {texts.pairing.action}
      </a>
      <p className="soft">{texts.pairing.phone}</p>
      <QrCode value={`${location.origin}${place}`} label={texts.pairing.qr} />
      <Facts facts={[[texts.pairing.code, <code key="code">{code}</code>]]} />
      <Progress>{texts.pairing.waiting}</Progress>
    </section>
  );
}

function Asked({ request: asked, onAgain }: { request: PaymentRequest; onAgain(): void }) {
  const query = usePaymentRequest(asked.request_id, asked.connection_id);
  return (
    <QueryView query={query}>
      {(request) => (
        <div className="stack">
          <section className="card section" aria-labelledby="test-asked">
            <div className="row">
              <h2 id="test-asked">{texts.asked.title}</h2>
              <PaymentBadge payment={request} />
              <LiveMark query={query} isFinal={request.is_final} />
            </div>
            <p role="status">{texts.asked.now[request.status] ?? statusWord(request.status)}</p>
            <Timeline request={request} />
            <div className="row">
              {request.is_final ? <Button onClick={onAgain}>{texts.asked.again}</Button> : null}
              <Link
                href={`/payment-requests/${encodeURIComponent(request.request_id)}?connection=${request.connection_id}`}
              >
                {texts.asked.details}
              </Link>
            </div>
          </section>
          <Deliveries request={request} />
        </div>
      )}
    </QueryView>
  );
}
