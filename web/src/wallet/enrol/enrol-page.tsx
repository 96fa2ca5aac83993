import { Tabs } from '@base-ui/react/tabs';
import { type Device, type EnrolInput, WalletClient } from '@payassent/sdk';
import { useCallback, useState } from 'react';
import { enrol } from '../../texts/wallet.ts';
import { Page } from '../../ui/page.tsx';
import { openDecisionKey } from '../decisions/decision-keys.ts';
import { tellOtherPages, useOtherPages } from '../session/other-pages.ts';
import { keepDevice, readDevice } from '../storage/device-store.ts';
import { EnrolForm } from './enrol-form.tsx';
import { OtherDevices } from './other-devices.tsx';
import { RecoveryCode } from './recovery-code.tsx';

/** `onEnrolled`: a device is stored, by this page or by another one of this browser. */
export function EnrolPage({ onEnrolled }: { onEnrolled(): Promise<void> }) {
  const [enrolled, setEnrolled] = useState<Enrolled>();
  const [isKept, setKept] = useState(false);
  const isShowingCode = enrolled !== undefined;
  const follow = useCallback(() => {
    // The code is shown once: no other page may take it off the screen.
    if (!isShowingCode) void onEnrolled();
  }, [isShowingCode, onEnrolled]);
  useOtherPages(follow);
  const start = async (input: EnrolInput) => {
    const made = await enrolOnce(input);
    if (made === undefined) await onEnrolled();
    else setEnrolled(made);
  };
  if (enrolled && !isKept) {
    const { recoveryCode, others } = enrolled;
    return <RecoveryCode code={recoveryCode} onKept={others.length > 0 ? () => setKept(true) : onEnrolled} />;
  }
  if (enrolled)
    return <OtherDevices devices={enrolled.others} signOut={() => signOut(enrolled)} onDone={onEnrolled} />;
  return (
    <Page title={enrol.title}>
      <p>{enrol.intro}</p>
      <Tabs.Root className="card stack" defaultValue="new">
        <Tabs.List className="row" aria-label={enrol.choices.label}>
          {(['new', 'link', 'recovery'] as const).map((choice) => (
            <Tabs.Tab className="wallet-choice" value={choice} key={choice}>
              {enrol.choices[choice]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {(['new', 'link', 'recovery'] as const).map((choice) => (
          <Tabs.Panel value={choice} key={choice}>
            <EnrolForm way={choice} onSubmit={start} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Page>
  );
}

interface Enrolled {
  client: WalletClient;
  recoveryCode: string;
  /** Devices that the recovered wallet has besides. */
  others: readonly Device[];
}

/** One after the other: the wallet's row is locked by each. */
async function signOut({ client, others }: Enrolled): Promise<void> {
  for (const { device_id } of others) await client.devices.delete(device_id);
}

/**
 * One page of this browser at a time, and none once there is a device: a second enrolment would take its place. Answers
 * with the recovery code and the other devices, where there is a new code.
 */
function enrolOnce(input: EnrolInput): Promise<Enrolled | undefined> {
  return navigator.locks.request('enrol', async () => {
    if ((await readDevice()) !== undefined) return undefined;
    const enrolled = await WalletClient.enrol({ baseUrl: location.origin }, input);
    const { client, device, token, recovery_code, other_devices = [] } = enrolled;
    // Before anything else happens with it: a device that was enrolled and lost is of no use.
    await keepDevice({ deviceId: device.device_id, walletId: device.wallet_id, name: device.name, token });
    tellOtherPages();
    // Without waiting: a key that is not there yet is made when the wallet opens.
    void openDecisionKey({ client, deviceId: device.device_id }).catch(() => undefined);
    // Anyone who joins by a link code receives none: the wallet has one already.
    if (!recovery_code) return undefined;
    const others = other_devices.filter(({ status }) => status === 'active');
    return { client, recoveryCode: recovery_code, others };
  });
}
