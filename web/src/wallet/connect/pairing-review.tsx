import type { Scope } from '@payassent/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { common } from '../../texts/common.ts';
import { connect, invitations } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { PaymentRow } from '../inbox/payment-row.tsx';
import { RequesterReview } from '../invitations/requester-review.tsx';
import { waitingQuery } from '../payments/queries.ts';
import { useWallet } from '../session/session.tsx';
import type { FoundPairing } from './pair-form.tsx';

export function PairingReview({ found, onDone }: { found: FoundPairing; onDone(): void }) {
  const client = useWallet();
  const cache = useQueryClient();
  const [outcome, setOutcome] = useState<'approved' | 'rejected'>();
  const [connectionId, setConnectionId] = useState('');
  const { session, code } = found;
  const approve = async (scopes: Scope[]) => {
    // The connection token that comes back is the agent's as well; the wallet has no use for it.
    const { connection } = await client.pairing.approve(session.pairing_session_id, { code, scopes });
    setConnectionId(connection.connection_id);
    await cache.invalidateQueries({ queryKey: ['connections'] });
    setOutcome('approved');
  };
  const reject = async () => {
    await client.pairing.reject(session.pairing_session_id, { code });
    setOutcome('rejected');
  };
  return (
    <Page
      title={invitations.title}
      actions={
        <Button kind="plain" onClick={onDone}>
          {outcome === undefined ? common.cancel : connect.title}
        </Button>
      }
    >
      {outcome === undefined ? (
        <RequesterReview requester={session} onApprove={approve} onReject={reject} />
      ) : (
        <Note kind={outcome === 'approved' ? 'good' : 'plain'}>
          <strong role="status">{invitations[outcome]}</strong>
          {outcome === 'approved' ? <Link href="/agents">{invitations.toAgents}</Link> : null}
        </Note>
      )}
      {outcome === 'approved' ? <FirstPayments connectionId={connectionId} /> : null}
    </Page>
  );
}

/** An agent that was waited for often asks at once: what it asks for is one step away. */
function FirstPayments({ connectionId }: { connectionId: string }) {
  const waiting = useQuery(waitingQuery(useWallet())).data ?? [];
  const asked = waiting.filter((payment) => payment.connectionId === connectionId);
  if (asked.length === 0) return null;
  return (
    <ul className="wallet-list">
      {asked.map((payment) => (
        <li key={payment.key}>
          <PaymentRow payment={payment} />
        </li>
      ))}
    </ul>
  );
}
