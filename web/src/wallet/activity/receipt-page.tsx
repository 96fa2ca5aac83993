import { networkRow } from '@payassent/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from 'wouter';
import { history } from '../../texts/wallet/history.ts';
import { outcomes, review, shell } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Address, Amount, Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SettlementLine } from '../../ui/settlement-line.tsx';
import { paymentQuery } from '../payments/gateway.ts';
import { isHashMemo } from '../payments/own-memo.ts';
import { hasPinnedFacts, isPaid, type Payment } from '../payments/payment.ts';
import { placeIn } from '../payments/places.ts';
import { useWallet } from '../session/session.tsx';
import { useAgentNames } from './read-activity.ts';
import './activity.css';

const texts = history.receipt;
const { pinned } = review;

export function ReceiptPage() {
  useSearch();
  const place = placeIn(location);
  return (
    <Page
      title={texts.title}
      actions={
        <span className="row no-print">
          <Link className="button" data-kind="plain" href="/activity">
            {texts.back}
          </Link>
          <Button onClick={() => print()}>{texts.print}</Button>
        </span>
      }
    >
      {place === undefined ? (
        <EmptyState title={shell.notFound.title}>{shell.notFound.text}</EmptyState>
      ) : (
        <Receipt place={place} />
      )}
    </Page>
  );
}

function Receipt({ place }: { place: NonNullable<ReturnType<typeof placeIn>> }) {
  const query = useQuery(paymentQuery(useWallet(), place));
  return (
    <QueryView query={query}>
      {(payment) =>
        !hasPinnedFacts(payment) ? (
          <Note kind="bad">{pinned.broken}</Note>
        ) : isPaid(payment) ? (
          <article className="receipt card stack" aria-label={texts.title}>
            <PinnedPart payment={payment} />
            <Words payment={payment} />
            <Ids payment={payment} />
          </article>
        ) : (
          <Note>{texts.notPaid}</Note>
        )
      }
    </QueryView>
  );
}

function PinnedPart({ payment: { facts, payee } }: { payment: Payment }) {
  return (
    <section className="stack-tight" aria-labelledby="receipt-pinned">
      <Amount amount={facts.amount} asset={facts.asset} />
      <h2 id="receipt-pinned">{texts.pinned}</h2>
      <Facts
        facts={[
          [pinned.domain, payee?.domain ?? pinned.noDomain],
          payee === undefined ? null : [pinned.payee, <PartyName key="payee">{payee.name}</PartyName>],
          [pinned.address, <Address key="to">{facts.to}</Address>],
          [
            isHashMemo(facts) ? pinned.hashMemo : pinned.memo,
            facts.memo ? <ForeignText key="memo">{facts.memo}</ForeignText> : pinned.noMemo,
          ],
          [pinned.network, networkRow(facts.network).title],
          facts.issuer ? [pinned.issuer, <Address key="issuer">{facts.issuer}</Address>] : null,
          facts.contract ? [pinned.contract, <Address key="contract">{facts.contract}</Address>] : null,
        ]}
      />
    </section>
  );
}

/** Shows the source of each statement: the wallet reports, the service observes the chain. */
function Words({ payment }: { payment: Payment }) {
  const { txHash, settlement, facts, status } = payment;
  return (
    <section className="stack-tight" aria-labelledby="receipt-words">
      <h2 id="receipt-words">{texts.words}</h2>
      <Facts
        facts={[
          [
            texts.wallet,
            <span key="wallet" data-fact="wallet-word">
              {outcomes.states[status === 'confirmed' ? 'reported' : status]},{' '}
              <Moment>{payment.updatedAt}</Moment>
            </span>,
          ],
          [
            texts.chain,
            txHash === undefined ? (
              texts.noHash
            ) : (
              <SettlementLine key="chain" network={facts.network} txHash={txHash} settlement={settlement} />
            ),
          ],
          txHash === undefined
            ? null
            : [
                texts.hash,
                <code className="mono" key="hash">
                  {txHash}
                </code>,
              ],
        ]}
      />
    </section>
  );
}

function Ids({ payment }: { payment: Payment }) {
  const agents = useAgentNames();
  const agentName = payment.agentName ?? agents?.get(payment.connectionId);
  const code = (text: string) => <ForeignText key={text}>{text}</ForeignText>;
  return (
    <section className="stack-tight" aria-labelledby="receipt-ids">
      <h2 id="receipt-ids">{texts.ids}</h2>
      <Facts
        facts={[
          agentName === undefined ? null : [texts.agent, <PartyName key="agent">{agentName}</PartyName>],
          [texts.asked, <Moment key="asked">{payment.createdAt}</Moment>],
          [texts.request, code(payment.id)],
          [texts.connection, code(payment.connectionId)],
          [
            pinned.digest,
            <code className="mono" key="digest">
              {payment.pinnedDigest}
            </code>,
          ],
        ]}
      />
      <p className="soft">{texts.note}</p>
    </section>
  );
}
