import type { Recipient } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { Note } from '../../ui/notes.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import { LIVE_MS } from '../parts/intervals.ts';
import { Offered } from '../shell/offered.tsx';

const texts = recipientTexts.pending;
/** More are only said to be more. */
const COUNTED = 100;

/** How many requests to a payee await a decision; undefined while it is not known. */
function usePendingRequests(recipientId: string): string | undefined {
  const { data } = useQuery({
    queryKey: ['recipients', recipientId, 'pending'],
    queryFn: async ({ signal }) => {
      const query = { recipient_id: recipientId, status: 'pending', limit: COUNTED } as const;
      const { payment_requests, next_cursor } = await merchantClient.paymentRequests.list(query, { signal });
      return { count: payment_requests.length, isMore: next_cursor !== null };
    },
    refetchInterval: LIVE_MS,
  });
  return data === undefined || data.count === 0 ? undefined : texts.count(data.count, data.isMore);
}

interface ChoiceProps {
  recipientId: string;
  isRejecting: boolean;
  onChange(isRejecting: boolean): void;
}

/** Beside what changes a payee: what becomes of the requests that are pinned to it as it was. */
export function PendingChoice({ recipientId, isRejecting, onChange }: ChoiceProps) {
  const pending = usePendingRequests(recipientId);
  if (pending === undefined) return null;
  return (
    <CheckboxField
      label={texts.reject(pending)}
      hint={texts.hint}
      checked={isRejecting}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

/** The recall by itself, also of an archived payee. */
export function PendingRequests({ recipient }: { recipient: Recipient }) {
  const pending = usePendingRequests(recipient.recipient_id);
  if (pending === undefined) return null;
  const recall = async () => {
    await merchantClient.recipients.rejectPending(recipient.recipient_id);
    await queries.invalidateQueries({ queryKey: ['recipients'] });
    await queries.invalidateQueries({ queryKey: ['payment-requests'] });
  };
  return (
    <Note>
      <span>{texts.waiting(pending)}</span>
      <Offered call="POST /v1/recipients/{}/reject-pending">
        <div>
          <ConfirmButton label={texts.action} title={texts.title} confirmLabel={texts.confirm} run={recall}>
            <p>{texts.body(pending)}</p>
          </ConfirmButton>
        </div>
      </Offered>
    </Note>
  );
}
