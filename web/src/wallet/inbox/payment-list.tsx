import { language, locale } from '../../texts/language.ts';
import { ErrorBoundary } from '../../ui/on-demand.tsx';
import type { Payment } from '../payments/payment.ts';
import { serverNow } from '../session/server-clock.ts';
import { BrokenRow, PaymentRow } from './payment-row.tsx';

interface PaymentListProps {
  payments: readonly Payment[];
  momentOf(payment: Payment): string;
  /** Below which heading of the page the days are. */
  level: 'h2' | 'h3';
  /** Around the name of a day. */
  heading?(day: string): string;
}

/** At most so many descriptions are read where the request itself does not name its purpose: each costs a call. */
const MOST_DESCRIPTIONS = 25;

/** Payments grouped by day. */
export function PaymentList({ payments, momentOf, level: Heading, heading = capital }: PaymentListProps) {
  const near = new Set(payments.slice(0, MOST_DESCRIPTIONS).map(({ key }) => key));
  return (
    <div className="payment-days">
      {byDay(payments, momentOf).map(([day, payments]) => (
        <section className="payment-day" key={day}>
          <Heading>{heading(nameOf(day))}</Heading>
          <ul className="payment-list">
            {payments.map((payment) => (
              <li key={payment.key}>
                <ErrorBoundary fallback={<BrokenRow payment={payment} />} key={payment.updatedAt}>
                  <PaymentRow payment={payment} readsDescription={near.has(payment.key)} />
                </ErrorBoundary>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** By the customer's calendar, the days in the order of their first payments. */
function byDay(payments: readonly Payment[], momentOf: (payment: Payment) => string) {
  const days = new Map<number, Payment[]>();
  for (const payment of payments) {
    const day = new Date(momentOf(payment)).setHours(0, 0, 0, 0);
    const known = days.get(day);
    if (known === undefined) days.set(day, [payment]);
    else known.push(payment);
  }
  return [...days];
}

const DAY_MS = 86_400_000;
const NEAR = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const DATE = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });

function nameOf(day: number): string {
  // Rounded, because a day on which clocks change has another length.
  const away = Math.round((day - new Date(serverNow()).setHours(0, 0, 0, 0)) / DAY_MS);
  return Math.abs(away) <= 1 ? NEAR.format(away, 'day') : DATE.format(day);
}

function capital(day: string): string {
  return day.slice(0, 1).toLocaleUpperCase(language) + day.slice(1);
}
