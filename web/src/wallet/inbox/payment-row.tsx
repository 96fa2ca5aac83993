import { shownName } from '@payassent/protocol';
import { Link } from 'wouter';
import { common } from '../../texts/common.ts';
import { inbox, outcomes } from '../../texts/wallet.ts';
import { relative } from '../../ui/ago.ts';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { Badge, Note } from '../../ui/notes.tsx';
import { Loaded, onDemand } from '../../ui/on-demand.tsx';
import { Avatar } from '../avatar.tsx';
import { useAgent } from '../connections/use-agent.ts';
import { outcomeOf, TONES } from '../payments/outcome.ts';
import { networkTitle, type Payment } from '../payments/payment.ts';
import { reviewPath } from '../payments/places.ts';
import { usePurpose } from '../payments/use-purpose.ts';
import { useServerTime } from '../session/server-clock.ts';

/** Few payments are made under a policy, so the first view does not wait for this code. */
const PaidAutomatically = onDemand(() => import('../automatic/paid-automatically.tsx'), 'PaidAutomatically');

interface RowProps {
  payment: Payment;
  readsDescription?: boolean;
}

/** One line of a list, always of the same height. All of it links to the payment. */
export function PaymentRow({ payment, readsDescription = true }: RowProps) {
  const { facts } = payment;
  const agent = useAgent(payment);
  const isWaiting = payment.status === 'pending';
  return (
    <article className="payment-row" aria-label={`${facts.amount} ${facts.asset}`}>
      <Avatar id={agent.id} />
      <div className="payment-row-words">
        <p className="one-line payment-row-first">
          <span className="payment-row-agent">
            {agent.name === undefined ? inbox.anAgent : <PartyName inline>{agent.name}</PartyName>}
          </span>
          <PurposeOf payment={payment} readsDescription={readsDescription} />
        </p>
        <p className="one-line soft">
          <PayeeOf payment={payment} />
          <span> · {networkTitle(facts.network)}</span>
        </p>
        {payment.policyId === undefined ? null : (
          <Loaded>
            <PaidAutomatically payment={payment} />
          </Loaded>
        )}
      </div>
      <div className="payment-row-end">
        <Link className="payment-row-link sum" href={reviewPath(payment)}>
          <span className="visually-hidden">{isWaiting ? inbox.review : inbox.open} </span>
          {facts.amount} {facts.asset}
        </Link>
        {isWaiting ? <TimeLeft payment={payment} /> : <StatusBadge payment={payment} />}
      </div>
    </article>
  );
}

function PurposeOf({ payment, readsDescription }: Required<RowProps>) {
  const purpose = usePurpose(payment, readsDescription);
  const shown = purpose === undefined ? undefined : shownName(purpose);
  if (shown === undefined) return null;
  return (
    <>
      <span>·</span>
      <q className="one-line">
        <ForeignText inline>{shown}</ForeignText>
      </q>
    </>
  );
}

/** The domain was verified, so it comes first. */
function PayeeOf({ payment: { payee } }: { payment: Payment }) {
  if (payee === undefined) return inbox.bareAddress;
  return (
    <>
      {payee.domain === undefined ? null : <code>{payee.domain}</code>}{' '}
      <PartyName inline>{payee.name}</PartyName>
    </>
  );
}

function StatusBadge({ payment }: { payment: Payment }) {
  const outcome = outcomeOf(payment);
  return <Badge tone={TONES[outcome]}>{outcomes.states[outcome]}</Badge>;
}

const MINUTE_MS = 60_000;
const SOON_MS = 5 * MINUTE_MS;
/** The radius of a circle whose circumference is 100. */
const RADIUS = 15.915;

/** How much of its time a request has left, by the service's clock. */
function TimeLeft({ payment: { createdAt, expiresAt } }: { payment: Payment }) {
  const end = Date.parse(expiresAt);
  const now = useServerTime((now) => (end <= now ? undefined : Math.min(MINUTE_MS, end - now)));
  const left = Math.max(0, end - now);
  const share = Math.min(100, (100 * left) / Math.max(1, end - Date.parse(createdAt)));
  return (
    <span className="time-left" data-is-soon={left < SOON_MS}>
      <svg className="ring" viewBox="0 0 36 36" aria-hidden="true">
        <circle cx="18" cy="18" r={RADIUS} />
        <circle className="ring-left" cx="18" cy="18" r={RADIUS} strokeDasharray={`${share} 100`} />
      </svg>
      <span>
        <span className="visually-hidden">{left === 0 ? '' : inbox.expires} </span>
        <time dateTime={expiresAt} title={expiresAt}>
          {left === 0 ? outcomes.states.expired : relative(expiresAt, new Date(now))}
        </time>
      </span>
    </span>
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
