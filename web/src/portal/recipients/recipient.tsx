import { networkRow } from '@payassent/protocol';
import type { Recipient, RecipientVersion } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Address, type Fact, Facts } from '../../ui/facts.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Badge, Note } from '../../ui/notes.tsx';
import { merchantClient } from '../client.ts';
import { LIVE_MS } from '../parts/live.tsx';
import { Offered } from '../shell/offered.tsx';

export function useRecipient(id: string) {
  return useQuery({
    queryKey: ['recipients', id],
    queryFn: ({ signal }) => merchantClient.recipients.get(id, { signal }),
  });
}

const TONES = { draft: 'warn', active: 'good', suspended: 'bad', archived: 'plain' } as const;
const VERSION_TONES = { created: 'warn', verified: 'accent', active: 'good', superseded: 'plain' } as const;

export function RecipientStatus({ status }: { status: Recipient['status'] }) {
  return <Badge tone={TONES[status]}>{recipientTexts.statuses[status]}</Badge>;
}

export function VersionStatus({ status }: { status: RecipientVersion['status'] }) {
  return <Badge tone={VERSION_TONES[status]}>{recipientTexts.version.statuses[status]}</Badge>;
}

const texts = recipientTexts.facts;

/** What is paid, in full: nothing is shortened, and the network is next to the address that belongs to it. */
export function VersionFacts({ version }: { version: RecipientVersion }) {
  const { title, isTestnet } = networkRow(version.network);
  return (
    <Facts
      facts={[
        [texts.name, <ForeignText key="name">{version.name}</ForeignText>],
        [texts.network, isTestnet ? `${title} (${texts.testnet})` : title],
        [texts.asset, <ForeignText key="asset">{version.asset}</ForeignText>],
        [texts.address, <Address key="address">{version.address}</Address>],
        version.memo_policy === 'request' ? [texts.memo, texts.ownMemo] : null,
        optional(texts.memo, version.memo, (memo) => <ForeignText key="memo">{memo}</ForeignText>),
        optional(texts.issuer, version.issuer, (issuer) => <Address key="issuer">{issuer}</Address>),
        optional(texts.contract, version.contract, (contract) => (
          <Address key="contract">{contract}</Address>
        )),
        version.contract === null ? null : [texts.decimals, String(version.decimals)],
      ]}
    />
  );
}

function optional(name: string, value: string | null, show: (value: string) => Fact[1]): Fact | null {
  return value === null ? null : [name, show(value)];
}

const pendingTexts = recipientTexts.pending;
/** Above this, the page shows only that there are more. */
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
  return data === undefined || data.count === 0 ? undefined : pendingTexts.count(data.count, data.isMore);
}

interface ChoiceProps {
  recipientId: string;
  isRejecting: boolean;
  onChange(isRejecting: boolean): void;
}

/** With a change of a payee: what happens to the requests that are pinned to its present version. */
export function PendingChoice({ recipientId, isRejecting, onChange }: ChoiceProps) {
  const pending = usePendingRequests(recipientId);
  if (pending === undefined) return null;
  return (
    <CheckboxField
      label={pendingTexts.reject(pending)}
      hint={pendingTexts.hint}
      checked={isRejecting}
      onValue={onChange}
    />
  );
}

/** The recall alone, also of an archived payee. */
export function PendingRequests({ recipient }: { recipient: Recipient }) {
  const pending = usePendingRequests(recipient.recipient_id);
  if (pending === undefined) return null;
  return (
    <Note>
      <span>{pendingTexts.waiting(pending)}</span>
      <Offered call="POST /v1/recipients/{}/reject-pending">
        <ConfirmButton
          texts={{ ...pendingTexts, text: pendingTexts.text(pending) }}
          run={() => merchantClient.recipients.rejectPending(recipient.recipient_id)}
          refreshes={['recipients', 'payment-requests']}
        />
      </Offered>
    </Note>
  );
}
