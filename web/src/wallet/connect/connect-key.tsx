import type { CreatedConnectKey } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { connect } from '../../texts/wallet.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { openInvitationsQuery } from '../invitations/queries.ts';
import { useWallet } from '../session/session.tsx';
import { useAct } from '../use-act.ts';
import { useCountdown } from './use-countdown.ts';

const { key: texts } = connect;

/** The key itself lives in this component only: leaving the page is forgetting it. */
export function ConnectKeyCard() {
  const client = useWallet();
  const [made, setMade] = useState<CreatedConnectKey>();
  const [isWithdrawn, setWithdrawn] = useState(false);
  const { isBusy, error, run } = useAct();
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
      {error === undefined ? null : <ErrorNote error={error} />}
      <div>
        <Button kind={made === undefined ? 'main' : 'usual'} isBusy={isBusy} onClick={make}>
          {made === undefined ? texts.action : texts.another}
        </Button>
      </div>
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
          <div>
            <Link className="button" data-kind="main" href="/invitations">
              {texts.review}
            </Link>
          </div>
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
