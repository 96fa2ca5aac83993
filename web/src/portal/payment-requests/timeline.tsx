import { explorerUrl } from '@payassent/protocol';
import type { PaymentRequest, PaymentRequestEvent } from '@payassent/sdk';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SettlementLine } from '../../ui/settlement-line.tsx';
import { merchantClient } from '../client.ts';
import { statusWord } from '../parts/lists.tsx';
import { LIVE_MS, PreciseMoment } from '../parts/live.tsx';

const texts = paymentRequests.timeline;
const BAD = new Set(['failed', 'rejected', 'expired']);

export function Timeline({ request }: { request: PaymentRequest }) {
  const query = useQuery({ ...historyQuery(request), placeholderData: keepPreviousData });
  return (
    <QueryView query={query}>
      {(events) => <Steps request={request} steps={stepsOf(request, events)} />}
    </QueryView>
  );
}

function Steps({ request, steps }: { request: PaymentRequest; steps: readonly Step[] }) {
  const next = texts.next[request.status];
  const isSettled = request.settlement?.state === 'final';
  return (
    <ol className="timeline">
      {steps.map((step, index) => (
        <StepLine key={step.status} step={step} isFirst={index === 0} isSettled={isSettled}>
          {index === steps.length - 1 ? <Outcome request={request} /> : null}
        </StepLine>
      ))}
      {next === undefined ? null : (
        <li data-step="next">
          <span>{next}</span>
          {request.status === 'pending' ? (
            <span className="soft">
              {texts.until} <Moment>{request.expires_at}</Moment>
            </span>
          ) : null}
        </li>
      )}
    </ol>
  );
}

interface StepLineProps {
  step: Step;
  isFirst: boolean;
  isSettled: boolean;
  children: React.ReactNode;
}

function StepLine({ step, isFirst, isSettled, children }: StepLineProps) {
  const tone = BAD.has(step.status) ? 'bad' : step.status === 'confirmed' && isSettled ? 'good' : 'done';
  return (
    <li data-step={tone}>
      <strong>{isFirst ? texts.created : statusWord(step.status)}</strong>
      <span className="soft">
        <PreciseMoment at={step.at} />
      </span>
      {children}
    </li>
  );
}

function Outcome({ request }: { request: PaymentRequest }) {
  const { reason, reason_text: words, tx_hash: hash } = request;
  return (
    <>
      {reason ? (
        <span>
          {texts.reason}: <ForeignText inline>{reasonWords(reason)}</ForeignText>
        </span>
      ) : null}
      {words ? (
        <div>
          {texts.words}: <ForeignText lines>{words}</ForeignText>
        </div>
      ) : null}
      {hash ? (
        <span>
          {texts.txHash}: <ForeignText>{hash}</ForeignText>{' '}
          <a href={explorerUrl(request.payment.network, hash)} target="_blank" rel="noreferrer noopener">
            {texts.explorer}
          </a>
        </span>
      ) : null}
      {hash ? (
        <SettlementLine network={request.payment.network} txHash={hash} settlement={request.settlement} />
      ) : null}
    </>
  );
}

/** Wallets choose the codes: one can also be the name of a member that every object has. */
function reasonWords(reason: string): string {
  return (Object.hasOwn(texts.reasons, reason) ? texts.reasons[reason] : undefined) ?? reason;
}

interface Step {
  status: PaymentRequest['status'];
  at: string;
}

/** Everything that happened to the request. Events never change; the next one gives the request another version. */
export function historyQuery({ request_id, connection_id, state_version, settlement }: PaymentRequest) {
  return queryOptions({
    queryKey: [
      'payment-requests',
      'history',
      connection_id,
      request_id,
      state_version,
      settlement?.state ?? null,
    ],
    queryFn: async ({ signal }) =>
      (await merchantClient.paymentRequests.history(request_id, { connection_id }, { signal })).events,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Every step that the request has taken, with its time. */
function stepsOf(request: PaymentRequest, events: readonly PaymentRequestEvent[]): Step[] {
  const moves = events.filter(({ status, previous_status }) => status !== previous_status);
  return [
    { status: 'pending', at: request.created_at },
    ...moves.map(({ status, occurred_at }) => ({ status, at: occurred_at })),
  ];
}

/**
 * One request, followed until it is final. Two connections may have one id; a link from the list names the connection.
 */
export function usePaymentRequest(id: string, connection: string | null) {
  const choice = connection === null ? {} : { connection_id: connection };
  return useQuery({
    queryKey: ['payment-requests', 'one', id, connection],
    queryFn: async ({ signal }) =>
      (await merchantClient.paymentRequests.get(id, choice, { signal })).payment_request,
    refetchInterval: ({ state }) => (state.data?.is_final ? false : LIVE_MS),
  });
}
