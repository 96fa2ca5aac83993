import { Tabs } from '@base-ui/react/tabs';
import { type EnrolInput, WalletClient } from '@countersign/sdk';
import { useCallback, useState } from 'react';
import { enrol } from '../../texts/wallet.ts';
import { Page } from '../../ui/page.tsx';
import { tellOtherPages, useOtherPages } from '../session/other-pages.ts';
import { keepDevice, readDevice } from '../storage/device-store.ts';
import { EnrolForm } from './enrol-form.tsx';
import { RecoveryCode } from './recovery-code.tsx';

/** `onEnrolled`: a device is stored, by this page or by another one of this browser. */
export function EnrolPage({ onEnrolled }: { onEnrolled(): Promise<void> }) {
  const [recoveryCode, setRecoveryCode] = useState<string>();
  const isShowingCode = recoveryCode !== undefined;
  const follow = useCallback(() => {
    // The code is shown once: no other page may take it off the screen.
    if (!isShowingCode) void onEnrolled();
  }, [isShowingCode, onEnrolled]);
  useOtherPages(follow);
  const start = async (input: EnrolInput) => {
    const code = await enrolOnce(input);
    if (code === undefined) await onEnrolled();
    else setRecoveryCode(code);
  };
  if (isShowingCode) return <RecoveryCode code={recoveryCode} onKept={onEnrolled} />;
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

/**
 * One page of this browser at a time, and none once there is a device: a second enrolment would take its place. Answers
 * with the recovery code, where there is a new one.
 */
function enrolOnce(input: EnrolInput): Promise<string | undefined> {
  return navigator.locks.request('enrol', async () => {
    if ((await readDevice()) !== undefined) return undefined;
    const { device, token, recovery_code } = await WalletClient.enrol({ baseUrl: location.origin }, input);
    // Before anything else happens with it: a device that was enrolled and lost is of no use.
    await keepDevice({ deviceId: device.device_id, walletId: device.wallet_id, name: device.name, token });
    tellOtherPages();
    // Whoever joins by a link code receives none: the wallet has one already.
    return recovery_code || undefined;
  });
}
