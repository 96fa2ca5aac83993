import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { common } from '../../texts/common.ts';
import { inbox, statusTexts } from '../../texts/wallet.ts';
import { relative } from '../../ui/ago.ts';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { Badge, Note, type Tone } from '../../ui/notes.tsx';
import { Loaded, onDemand } from '../../ui/on-demand.tsx';
import { networkTitle, type Payment, type PaymentStatus } from '../payments/payment.ts';
import { reviewPath } from '../payments/places.ts';

/** Few payments are made under a policy, and no first view waits for what belongs to them. */
const PaidAutomatically = onDemand(() => import('../automatic/paid-automatically.tsx'), 'PaidAutomatically');

const TONES: Record<PaymentStatus, Tone> = {
  pending: 'accent',
  signed: 'warn',
  broadcasted: 'warn',
  confirmed: 'good',
  failed: 'bad',
  expired: 'plain',
  rejected: 'plain',
  cancelled: 'plain',
};

export function StatusBadge({ status }: { status: PaymentStatus }) {
  return <Badge tone={TONES[status]}>{statusTexts[status]}</Badge>;
}

export function PaymentRow({ payment, extra }: { payment: Payment; extra?: ReactNode }) {
  const { facts, payee } = payment;
  const isWaiting = payment.status === 'pending';
  const moment = isWaiting ? payment.expiresAt : payment.createdAt;
  return (
    <article className="card payment-row" aria-label={`${facts.amount} ${facts.asset}`}>
      <div className="stack-tight">
        <span className="sum">
          {facts.amount} {facts.asset}
        </span>
        <span className="row clamped">
          {payee === undefined ? inbox.bareAddress : <PartyName inline>{payee.name}</PartyName>}
          {payee?.domain === undefined ? null : <code>{payee.domain}</code>}
        </span>
        <span className="soft">
          {networkTitle(facts.network)} · {isWaiting ? inbox.expires : inbox.asked}{' '}
          <time dateTime={moment} title={moment}>
            {relative(moment, new Date())}
          </time>
        </span>
        {payment.policyId === undefined ? null : (
          <Loaded>
            <PaidAutomatically payment={payment} />
          </Loaded>
        )}
      </div>
      <div className="row">
        <StatusBadge status={payment.status} />
        <Link className="button" data-kind={isWaiting ? 'main' : 'usual'} href={reviewPath(payment)}>
          {isWaiting ? inbox.review : inbox.open}{' '}
          <span className="visually-hidden">
            {facts.amount} {facts.asset}
          </span>
        </Link>
        {extra}
      </div>
    </article>
  );
}

/** In the place of a row that cannot be drawn, so that the others can. */
export function BrokenRow({ payment }: { payment: Payment }) {
  return (
    <Note kind="warn">
      <strong>{inbox.brokenRow}</strong>
      <span className="soft">
        {common.errors.reference} <ForeignText inline>{payment.id}</ForeignText>
      </span>
    </Note>
  );
}
