import { explorerUrl } from '@payassent/protocol';
import type { PaymentRequest } from '@payassent/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SettlementLine } from '../../ui/settlement-line.tsx';
import { PreciseMoment } from '../parts/precise-moment.tsx';
import { statusWord } from '../parts/status-badge.tsx';
import { historyQuery, type Step, stepsOf } from './steps.ts';

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
  return (
    <ol className="timeline">
      {steps.map((step, index) => (
        <StepLine key={step.status} step={step} isFirst={index === 0}>
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

function StepLine({ step, isFirst, children }: { step: Step; isFirst: boolean; children: React.ReactNode }) {
  const tone = BAD.has(step.status) ? 'bad' : step.status === 'confirmed' ? 'good' : 'done';
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
          {texts.reason}: <ForeignText inline>{texts.reasons[reason] ?? reason}</ForeignText>
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
