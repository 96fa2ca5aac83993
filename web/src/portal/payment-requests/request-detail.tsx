import type { PaymentRequest } from '@payassent/sdk';
import { Link } from 'wouter';
import { paymentRequests as texts } from '../../texts/portal/payment-requests.ts';
import { Facts } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LiveMark } from '../parts/live-mark.tsx';
import { StatusBadge, statusWord } from '../parts/status-badge.tsx';
import { Deliveries } from './deliveries.tsx';
import { Evidence } from './evidence.tsx';
import { PinnedFacts } from './pinned-facts.tsx';
import { SaidByAgent } from './said-by-agent.tsx';
import { Timeline } from './timeline.tsx';
import { usePaymentRequest } from './use-payment-request.ts';

/** One request with everything about it, on a page of its own or beside the list. */
export function RequestDetail({ id, connection }: { id: string; connection: string | null }) {
  const query = usePaymentRequest(id, connection);
  return <QueryView query={query}>{(request) => <Detail request={request} query={query} />}</QueryView>;
}

function Detail({ request, query }: { request: PaymentRequest; query: { isError: boolean } }) {
  return (
    <div className="stack">
      <div className="row">
        <StatusBadge status={request.status} />
        <LiveMark query={query} isFinal={request.is_final} />
        <span className="visually-hidden" role="status">
          {texts.now(statusWord(request.status))}
        </span>
      </div>
      <PinnedFacts request={request} />
      <div className="columns">
        <section className="card stack">
          <h2>{texts.timeline.title}</h2>
          <Timeline request={request} />
        </section>
        <SaidByAgent request={request} />
      </div>
      <Deliveries request={request} />
      <Evidence request={request} />
      <section className="card stack">
        <h2>{texts.records}</h2>
        <Facts
          facts={[
            [
              texts.facts.id,
              <ForeignText key="id" inline>
                {request.request_id}
              </ForeignText>,
            ],
            [
              texts.facts.connection,
              <Link key="connection" href={`/connections/${request.connection_id}`}>
                <code>{request.connection_id}</code>
              </Link>,
            ],
            request.idempotency_key === undefined
              ? null
              : [
                  texts.facts.key,
                  <ForeignText key="key" inline>
                    {request.idempotency_key}
                  </ForeignText>,
                ],
            [texts.pinned.payeeVersion, <code key="version">{request.payee.recipient_version_id}</code>],
            [texts.pinned.digest, <code key="digest">{request.facts_digest}</code>],
            [texts.facts.version, String(request.state_version - 1)],
          ]}
        />
      </section>
    </div>
  );
}
