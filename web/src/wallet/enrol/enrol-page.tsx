import { type EnrolInput, WalletClient } from '@payassent/sdk';
import { enrol } from '../../texts/wallet.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { ThisDevice } from '../decisions/decision-keys.ts';
import { tellOtherPages, useOtherPages } from '../session/other-pages.ts';
import { keepEnrolment, readDevice } from '../storage/device-store.ts';
import { EnrolForm } from './enrol-form.tsx';

/** `onEnrolled`: a device is stored, by this page or by another one of this browser. */
export function EnrolPage({ onEnrolled }: { onEnrolled(): Promise<void> }) {
  useOtherPages(onEnrolled);
  const start = async (input: EnrolInput) => {
    await enrolOnce(input);
    await onEnrolled();
  };
  return (
    <Page title={enrol.title}>
      <p>{enrol.intro}</p>
      <Tabs label={enrol.choices.label} choices={enrol.choices.ways}>
        {(way) => <EnrolForm way={way} onSubmit={start} />}
      </Tabs>
    </Page>
  );
}

/** One page of this browser at a time, and none once there is a device: a second enrolment would take its place. */
function enrolOnce(input: EnrolInput): Promise<void> {
  return navigator.locks.request('enrol', async () => {
    if ((await readDevice()) !== undefined) return;
    const enrolled = await WalletClient.enrol({ baseUrl: location.origin }, input);
    const { client, device, token, recovery_code, other_devices = [] } = enrolled;
    const others = other_devices.filter(({ status }) => status === 'active');
    // Before anything else happens with it: a device that was enrolled and lost is of no use.
    await keepEnrolment(
      { deviceId: device.device_id, walletId: device.wallet_id, name: device.name, token },
      // Anyone who joins by a link code receives none: the wallet has one already.
      recovery_code ? { recoveryCode: recovery_code, others } : undefined,
    );
    tellOtherPages();
    // Without waiting: a key that is not there yet is made when the wallet opens.
    void makeDecisionKey({ client, deviceId: device.device_id }).catch(() => undefined);
  });
}

async function makeDecisionKey(device: ThisDevice): Promise<void> {
  const { openDecisionKey } = await import('../decisions/decision-keys.ts');
  await openDecisionKey(device);
}
