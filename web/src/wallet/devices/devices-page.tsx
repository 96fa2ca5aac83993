import type { Device } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { devices } from '../../texts/wallet.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EndorseDevice } from '../decisions/endorse-device.tsx';
import { DecisionKeyCard } from '../decisions/key-card.tsx';
import { LockCard } from '../lock/lock-card.tsx';
import { RingCard } from '../ringing/ring-card.tsx';
import { useSession } from '../session/session.tsx';
import { Activity } from './activity.tsx';
import { DeviceCard } from './device-card.tsx';
import { LinkDevice } from './link-device.tsx';
import { NewRecoveryCode } from './new-recovery-code.tsx';
import { PendingChanges } from './pending-changes.tsx';
import { devicesQuery } from './queries.ts';

const REFRESH_MS = 4_000;

export function DevicesPage() {
  const { client, device } = useSession();
  const query = useQuery({ ...devicesQuery(client), refetchInterval: REFRESH_MS });
  return (
    <Page title={devices.title}>
      <p>{devices.intro}</p>
      <PendingChanges />
      <QueryView query={query}>
        {(all) => (
          <ul className="wallet-list">
            {thisOneFirst(all, device.deviceId).map((one) => (
              <li key={one.device_id}>
                <DeviceCard device={one} isLast={all.length === 1} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <RingCard />
      <LockCard />
      <DecisionKeyCard />
      <EndorseDevice devices={query.data ?? []} />
      <LinkDevice />
      <NewRecoveryCode />
      <Activity />
    </Page>
  );
}

function thisOneFirst(all: readonly Device[], deviceId: string): Device[] {
  return [...all].sort((a, b) => Number(b.device_id === deviceId) - Number(a.device_id === deviceId));
}
