import { Link } from 'wouter';
import { shellTexts } from '../../texts/portal/shell.ts';
import { EmptyState } from '../../ui/notes.tsx';

/** What stands where a pending organization cannot work yet: what is missing, and the way there. */
export function PendingMerchant() {
  const { title, body, action } = shellTexts.pendingMerchant;
  return (
    <EmptyState
      title={title}
      action={
        <Link href="/domains" className="button" data-kind="main">
          {action}
        </Link>
      }
    >
      {body}
    </EmptyState>
  );
}
