import { tellOtherPages, useOtherPages } from '../session/other-pages.ts';
import { openClient } from '../session/session.tsx';
import { keepUnfinished, type StoredDevice, type Unfinished } from '../storage/device-store.ts';
import { OtherDevices } from './other-devices.tsx';
import { RecoveryCode } from './recovery-code.tsx';

interface FinishProps {
  device: StoredDevice;
  unfinished: Unfinished;
  reread(): Promise<void>;
}

/** What stands between a stored device and its wallet. It comes back after every reload until it is done. */
export function FinishEnrolment({ device, unfinished, reread }: FinishProps) {
  useOtherPages(reread);
  const { recoveryCode, others } = unfinished;
  const leave = async (rest: Unfinished) => {
    await keepUnfinished(rest);
    tellOtherPages();
    await reread();
  };
  if (recoveryCode !== undefined)
    return (
      <RecoveryCode
        code={recoveryCode}
        walletId={device.walletId}
        onKept={() => leave({ recoveryCode: undefined, others })}
      />
    );
  const done = () => leave({ recoveryCode: undefined, others: [] });
  // One after the other: the wallet's row is locked by each.
  const signOut = async () => {
    const client = openClient(device);
    for (const { device_id } of others) await client.devices.delete(device_id);
  };
  return <OtherDevices devices={others} signOut={signOut} onDone={done} />;
}
