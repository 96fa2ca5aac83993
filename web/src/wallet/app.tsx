import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { shell } from '../texts/wallet.ts';
import { EmptyState, Note, Progress } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';
import { ConnectPage } from './connect/connect-page.tsx';
import { ConnectionsPage } from './connections/connections-page.tsx';
import { DevicesPage } from './devices/devices-page.tsx';
import { EnrolPage } from './enrol/enrol-page.tsx';
import { InboxPage } from './inbox/inbox-page.tsx';
import { useLiveInbox } from './inbox/use-live-inbox.ts';
import { InvitationsPage } from './invitations/invitations-page.tsx';
import { ReviewPage } from './payments/review-page.tsx';
import { PoliciesPage } from './policies/policies-page.tsx';
import { PolicyPage } from './policies/policy-page.tsx';
import { DeviceGone } from './session/device-gone.tsx';
import { openClient, type Session, SessionProvider } from './session/session.tsx';
import { Plain, Shell } from './shell.tsx';
import { TestKeyPage } from './stellar/test-key-page.tsx';
import { forgetDevice, keepDevice, readDevice, type StoredDevice } from './storage/device-store.ts';

type Start =
  | { state: 'opening' }
  | { state: 'closed' }
  | { state: 'ready'; device: StoredDevice | undefined };

export function WalletApp() {
  const [start, setStart] = useState<Start>({ state: 'opening' });
  useEffect(() => {
    readDevice().then(
      (device) => setStart({ state: 'ready', device }),
      () => setStart({ state: 'closed' }),
    );
  }, []);
  const become = useCallback((device: StoredDevice | undefined) => setStart({ state: 'ready', device }), []);
  return (
    <Router base="/wallet">
      <Started start={start} become={become} />
    </Router>
  );
}

function Started({
  start,
  become,
}: {
  start: Start;
  become: (device: StoredDevice | undefined) => void;
}): ReactNode {
  if (start.state === 'opening')
    return (
      <Plain>
        <Progress>{shell.opening}</Progress>
      </Plain>
    );
  if (start.state === 'closed')
    return (
      <Plain>
        <Page title={shell.storage.title}>
          <Note kind="bad">{shell.storage.text}</Note>
        </Page>
      </Plain>
    );
  if (start.device === undefined)
    return (
      <Plain>
        <EnrolPage onEnrolled={become} />
      </Plain>
    );
  return <Enrolled device={start.device} become={become} key={start.device.deviceId} />;
}

function Enrolled({
  device,
  become,
}: {
  device: StoredDevice;
  become: (device: StoredDevice | undefined) => void;
}) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  // The client renews its own token: it stays the same for as long as the device does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const client = useMemo(() => openClient(device), [device.deviceId]);
  const session = useMemo<Session>(
    () => ({
      client,
      device,
      async replace(next) {
        await keepDevice(next);
        become(next);
      },
      async forget() {
        await forgetDevice();
        cache.clear();
        navigate('/');
        become(undefined);
      },
    }),
    [client, device, become, cache, navigate],
  );
  return (
    <SessionProvider session={session}>
      <Views />
    </SessionProvider>
  );
}

function Views() {
  const inbox = useLiveInbox();
  if (inbox === 'gone')
    return (
      <Plain>
        <DeviceGone />
      </Plain>
    );
  return (
    <Shell>
      <Switch>
        <Route path="/">
          <InboxPage isLive={inbox === 'live'} />
        </Route>
        <Route path="/review" component={ReviewPage} />
        <Route path="/connect" component={ConnectPage} />
        <Route path="/invitations" component={InvitationsPage} />
        <Route path="/agents" component={ConnectionsPage} />
        <Route path="/policies" component={PoliciesPage} />
        <Route path="/policies/:id">{({ id }) => <PolicyPage policyId={id} />}</Route>
        <Route path="/devices" component={DevicesPage} />
        <Route path="/test-key" component={TestKeyPage} />
        <Route>
          <Page title={shell.notFound.title}>
            <EmptyState
              title={shell.notFound.text}
              action={
                <Link className="button" href="/">
                  {shell.notFound.action}
                </Link>
              }
            >
              {''}
            </EmptyState>
          </Page>
        </Route>
      </Switch>
    </Shell>
  );
}
