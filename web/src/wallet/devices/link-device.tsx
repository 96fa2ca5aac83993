import { useState } from 'react';
import { connect, devices } from '../../texts/wallet.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note } from '../../ui/notes.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { useCountdown } from '../connect/use-countdown.ts';
import { guard } from '../lock/guard.ts';
import { useWallet } from '../session/session.tsx';
import { useAct } from '../use-act.ts';

interface LinkCode {
  link_code: string;
  expires_at: string;
}

export function LinkDevice() {
  const client = useWallet();
  const [made, setMade] = useState<LinkCode>();
  const { isBusy, error, run } = useAct();
  const make = async () => {
    if (await guard('link')) await run(async () => setMade(await client.devices.createLinkCode()));
  };
  return (
    <section className="card stack" aria-labelledby="link-title">
      <h2 id="link-title">{devices.link.title}</h2>
      <p>{devices.link.how}</p>
      {made === undefined ? null : <ShownCode made={made} key={made.link_code} />}
      {error === undefined ? null : <ErrorNote error={error} />}
      <div>
        <Button isBusy={isBusy} onClick={make}>
          {made === undefined ? devices.link.action : devices.link.again}
        </Button>
      </div>
    </section>
  );
}

function ShownCode({ made }: { made: LinkCode }) {
  const left = useCountdown(made.expires_at);
  if (left === undefined) return <Note kind="warn">{devices.link.expired}</Note>;
  return (
    <div className="stack-tight">
      <QrCode value={made.link_code} label={devices.link.qr} />
      <code className="mono">{made.link_code}</code>
      <CopyButton value={made.link_code} name={devices.link.name} />
      <strong>{connect.key.left(left)}</strong>
      <Note kind="warn">{devices.link.secret}</Note>
    </div>
  );
}
