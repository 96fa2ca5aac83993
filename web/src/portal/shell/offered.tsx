import { type GuardedCall, mayCall } from '@payassent/protocol/api';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shellTexts } from '../../texts/portal/shell.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { useOperator } from '../session.ts';

type Part<Props> = (props: Props) => ReactNode;

/** Whether the team member's role allows the call, by the table that the service itself uses. */
export function useMay(call: GuardedCall): boolean {
  return mayCall(useOperator().role, call);
}

/** Hides an action that the role of the team member does not allow. */
export function Offered({ call, children }: { call: GuardedCall; children: ReactNode }) {
  return useMay(call) ? children : null;
}

/** The same for a part that consists of the call alone. */
export function offered<Props extends object>(call: GuardedCall, Offer: Part<Props>): Part<Props> {
  return function OfferedPart(props: Props) {
    return useMay(call) ? <Offer {...props} /> : null;
  };
}

/** A page for one call only: names the roles that can make it. */
export function offeredPage<Props extends object>(call: GuardedCall, Page: Part<Props>): Part<Props> {
  return function OfferedPage(props: Props) {
    if (useMay(call)) return <Page {...props} />;
    const { title, text } = shellTexts.otherRole;
    return <EmptyState title={title}>{text}</EmptyState>;
  };
}

/** In place of the pages while a pending organization cannot work: what is missing, and the way there. */
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
