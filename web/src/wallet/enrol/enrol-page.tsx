import { Tabs } from '@base-ui/react/tabs';
import { type EnrolInput, WalletClient } from '@countersign/sdk';
import { useState } from 'react';
import { enrol } from '../../texts/wallet.ts';
import { Page } from '../../ui/page.tsx';
import { keepDevice, type StoredDevice } from '../storage/device-store.ts';
import { EnrolForm } from './enrol-form.tsx';
import { RecoveryCode } from './recovery-code.tsx';

interface Enrolment {
  device: StoredDevice;
  recoveryCode: string | undefined;
}

export function EnrolPage({ onEnrolled }: { onEnrolled(device: StoredDevice): void }) {
  const [done, setDone] = useState<Enrolment>();
  const start = async (input: EnrolInput) => {
    const enrolment = await enrolDevice(input);
    if (enrolment.recoveryCode === undefined) onEnrolled(enrolment.device);
    else setDone(enrolment);
  };
  if (done?.recoveryCode !== undefined)
    return <RecoveryCode code={done.recoveryCode} onKept={() => onEnrolled(done.device)} />;
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

/** The credential is kept before anything else happens with it: a device that was enrolled and lost is of no use. */
async function enrolDevice(input: EnrolInput): Promise<Enrolment> {
  const { device, token, recovery_code } = await WalletClient.enrol({ baseUrl: location.origin }, input);
  const stored = { deviceId: device.device_id, walletId: device.wallet_id, name: device.name, token };
  await keepDevice(stored);
  // Whoever joins by a link code receives none: the wallet has one already.
  return { device: stored, recoveryCode: recovery_code || undefined };
}
