import type { CreatedConnectKey, Scope } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { common } from '../../texts/common.ts';
import { connect, invitations } from '../../texts/wallet.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { Button, CopyButton } from '../../ui/button.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { refresh } from '../../ui/queries.ts';
import { openInvitationsQuery } from '../connections/queries.ts';
import { RequesterReview } from '../connections/requester-review.tsx';
import { FirstWeek } from '../first-week.tsx';
import { PaymentRow } from '../inbox/payment-row.tsx';
import { waitingQuery } from '../payments/gateway.ts';
import { useWallet } from '../session/session.tsx';
import { type FoundPairing, PairForm } from './pair-form.tsx';
import { useCountdown } from './use-countdown.ts';

export function ConnectPage() {
  const [found, setFound] = useState<FoundPairing>();
  // A link or QR code may carry the agent's code; it is removed from the address before anyone could keep it.
  const [linked] = useState(() => location.hash.slice(1));
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, []);
  if (found !== undefined) return <PairingReview found={found} onDone={() => setFound(undefined)} />;
  return (
    <Page title={connect.title}>
      <p>{connect.intro}</p>
      <PairForm linked={linked} onFound={setFound} />
      <ConnectKeyCard />
    </Page>
  );
}

const { key: texts } = connect;

/** The key is held only in this component: leaving the page deletes it. */
function ConnectKeyCard() {
  const client = useWallet();
  const [made, setMade] = useState<CreatedConnectKey>();
  const [isWithdrawn, setWithdrawn] = useState(false);
  const { isBusy, error, run } = useAction();
  const make = () =>
    run(async () => {
      setMade(await client.connectKeys.create());
      setWithdrawn(false);
    });
  const withdraw = (connectKeyId: string) =>
    run(async () => {
      await client.connectKeys.withdraw(connectKeyId);
      setMade(undefined);
      setWithdrawn(true);
    });
  return (
    <section className="card stack" aria-labelledby="key-title">
      <h2 id="key-title">{texts.title}</h2>
      <p>{texts.text}</p>
      {made === undefined ? null : (
        <ShownKey
          made={made}
          key={made.connect_key_id}
          isBusy={isBusy}
          onWithdraw={() => withdraw(made.connect_key_id)}
        />
      )}
      {isWithdrawn ? <p role="status">{texts.withdrawn}</p> : null}
      <Problem error={error} />
      <Button kind={made === undefined ? 'main' : 'usual'} isBusy={isBusy} onClick={make}>
        {made === undefined ? texts.action : texts.another}
      </Button>
    </section>
  );
}

interface ShownKeyProps {
  made: CreatedConnectKey;
  isBusy: boolean;
  onWithdraw(): void;
}

function ShownKey({ made, isBusy, onWithdraw }: ShownKeyProps) {
  const left = useCountdown(made.expires_at);
  const client = useWallet();
  const keys = useQuery({
    queryKey: ['connect-keys', made.connect_key_id],
    queryFn: async () => (await client.connectKeys.list({ limit: 100 })).connect_keys,
    refetchInterval: 3_000,
  });
  const isUsed =
    keys.data?.find(({ connect_key_id }) => connect_key_id === made.connect_key_id)?.status === 'used';
  const asking = useQuery(openInvitationsQuery(client)).data?.length ?? 0;
  if (isUsed)
    return (
      <Note kind="good">
        <strong role="status">{texts.used}</strong>
        {asking > 0 ? (
          <Link className="button" data-kind="main" href="/invitations">
            {texts.review}
          </Link>
        ) : null}
      </Note>
    );
  if (left === undefined) return <Note kind="warn">{texts.expired}</Note>;
  return (
    <div className="stack-tight">
      <QrCode value={made.connect_key} label={texts.qr} />
      <code className="mono">{made.connect_key}</code>
      <div className="row">
        <CopyButton value={made.connect_key} name={texts.name} />
        <Button kind="plain" isBusy={isBusy} onClick={onWithdraw}>
          {texts.withdraw}
        </Button>
      </div>
      <strong>{texts.left(left)}</strong>
      <span className="soft">{texts.once}</span>
      <Progress>{texts.waiting}</Progress>
    </div>
  );
}

function PairingReview({ found, onDone }: { found: FoundPairing; onDone(): void }) {
  const client = useWallet();
  const [outcome, setOutcome] = useState<'approved' | 'rejected'>();
  const [connectionId, setConnectionId] = useState('');
  const { session, code } = found;
  const approve = async (scopes: Scope[]) => {
    // The returned connection token belongs to the agent; the wallet has no use for it.
    const { connection } = await client.pairing.approve(session.pairing_session_id, { code, scopes });
    setConnectionId(connection.connection_id);
    await refresh('connections');
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
      {outcome === 'approved' ? <FirstWeek /> : null}
    </Page>
  );
}

/** An agent often requests a payment as soon as it is connected; this links to it. */
function FirstPayments({ connectionId }: { connectionId: string }) {
  const waiting = useQuery(waitingQuery(useWallet())).data ?? [];
  const asked = waiting.filter((payment) => payment.connectionId === connectionId);
  if (asked.length === 0) return null;
  return (
    <ul className="payment-list">
      {asked.map((payment) => (
        <li key={payment.key}>
          <PaymentRow payment={payment} />
        </li>
      ))}
    </ul>
  );
}
