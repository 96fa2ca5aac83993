import type { PaymentRequest } from '@payassent/sdk';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { statusWord } from '../parts/status-badge.tsx';
import { type Step, stepsOf } from './seen-steps.ts';

const texts = paymentRequests.timeline;
const BAD = new Set(['failed', 'rejected', 'expired']);

export function Timeline({ request }: { request: PaymentRequest }) {
  const steps = stepsOf(request);
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
      <span className="soft">{step.at === undefined ? texts.between : <PreciseMoment at={step.at} />}</span>
      {children}
    </li>
  );
}

/** Steps follow each other within seconds. */
function PreciseMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {PRECISE.format(new Date(at))}
    </time>
  );
}
const PRECISE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

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
          {texts.txHash}: <ForeignText>{hash}</ForeignText>
        </span>
      ) : null}
    </>
  );
}
