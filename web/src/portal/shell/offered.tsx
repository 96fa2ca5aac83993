import { type GuardedCall, mayCall } from '@payassent/protocol/api';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shellTexts } from '../../texts/portal/shell.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { useOperator } from '../session.ts';

type Part<Props> = (props: Props) => ReactNode;

/** Whether the operator's role allows the call, by the table that the service itself goes by. */
function useMay(call: GuardedCall): boolean {
  return mayCall(useOperator().role, call);
}

/** What the role of the operator does not allow is not offered. */
export function Offered({ call, children }: { call: GuardedCall; children: ReactNode }) {
  return useMay(call) ? children : null;
}

/** The same for a part that is nothing but the call. */
export function offered<Props extends object>(call: GuardedCall, Offer: Part<Props>): Part<Props> {
  return function OfferedPart(props: Props) {
    return useMay(call) ? <Offer {...props} /> : null;
  };
}

/** A page that is there for one call alone says who can make it. */
export function offeredPage<Props extends object>(call: GuardedCall, Page: Part<Props>): Part<Props> {
  return function OfferedPage(props: Props) {
    if (useMay(call)) return <Page {...props} />;
    const { title, text } = shellTexts.otherRole;
    return <EmptyState title={title}>{text}</EmptyState>;
  };
}

/** What stands where a pending organization cannot work yet: what is missing, and the way there. */
export function PendingMerchant() {
  const { title, text, action } = shellTexts.pendingMerchant;
  return (
    <EmptyState
      title={title}
      action={
        <Link href="/domains" className="button" data-kind="main">
          {action}
        </Link>
      }
    >
      {text}
    </EmptyState>
  );
}
