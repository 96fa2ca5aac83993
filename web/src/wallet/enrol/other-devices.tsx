import type { Device } from '@payassent/sdk';
import { enrol } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Page } from '../../ui/page.tsx';
import { useAct } from '../use-act.ts';

interface OtherDevicesProps {
  devices: readonly Device[];
  signOut(): Promise<unknown>;
  onDone(): void;
}

/** After a recovery: anyone who had a device of this wallet still has it, unless the person says otherwise. */
export function OtherDevices({ devices, signOut, onDone }: OtherDevicesProps) {
  const { isBusy, error, run } = useAct();
  const end = () =>
    run(async () => {
      await signOut();
      onDone();
    });
  return (
    <Page title={enrol.others.title}>
      <p>{enrol.others.why}</p>
      <ul className="stack-tight">
        {devices.map((device) => (
          <li key={device.device_id}>
            <ForeignText inline>{device.name}</ForeignText>, <Moment>{device.created_at}</Moment>
          </li>
        ))}
      </ul>
      {error === undefined ? null : <ErrorNote error={error} />}
      <div className="row">
        <Button kind="danger" size="large" isBusy={isBusy} onClick={end}>
          {enrol.others.signOut}
        </Button>
        <Button size="large" disabled={isBusy} onClick={onDone}>
          {enrol.others.keep}
        </Button>
      </div>
    </Page>
  );
}
