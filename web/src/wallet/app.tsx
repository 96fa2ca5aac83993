import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { shell } from '../texts/wallet.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { EmptyState, Note, Progress } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';
import { useAutomaticPayments } from './automatic/use-automatic-payments.ts';
import { ConnectPage } from './connect/connect-page.tsx';
import { ConnectionsPage } from './connections/connections-page.tsx';
import { useDecisionKey } from './decisions/queries.ts';
import { DevicesPage } from './devices/devices-page.tsx';
import { EnrolPage } from './enrol/enrol-page.tsx';
import { FinishEnrolment } from './enrol/finish-enrolment.tsx';
import { InboxPage } from './inbox/inbox-page.tsx';
import { useLiveInbox } from './inbox/use-live-inbox.ts';
import { InvitationsPage } from './invitations/invitations-page.tsx';
import { ReviewPage } from './payments/review-page.tsx';
import { PoliciesPage } from './policies/policies-page.tsx';
import { PolicyPage } from './policies/policy-page.tsx';
import { DeviceGone } from './session/device-gone.tsx';
import { SessionProvider } from './session/session.tsx';
import { useDeviceSession } from './session/use-device-session.ts';
import { MorePage, Plain, Shell } from './shell.tsx';
import { TestKeyPage } from './stellar/test-key-page.tsx';
import { readDevice, readUnfinished, type StoredDevice, type Unfinished } from './storage/device-store.ts';

type Start =
  | { state: 'opening' }
  | { state: 'insecure' }
  | { state: 'closed' }
  | { state: 'ready'; device: StoredDevice | undefined; unfinished: Unfinished | undefined };

export function WalletApp() {
  const cache = useQueryClient();
  const [start, setStart] = useState<Start>({ state: 'opening' });
  const shownId = useRef<string>(undefined);
  // What is stored is the truth: every page of this browser may have changed it.
  const reread = useCallback(async () => {
    if (!isSecureContext) return setStart({ state: 'insecure' });
    try {
      const [device, unfinished] = await Promise.all([readDevice(), readUnfinished()]);
      // Nothing of a former wallet may show up in the next one.
      if (device?.deviceId !== shownId.current) cache.clear();
      shownId.current = device?.deviceId;
      setStart((former) =>
        former.state === 'ready' &&
        former.device?.token === device?.token &&
        isSame(former.unfinished, unfinished)
          ? former
          : { state: 'ready', device, unfinished },
      );
    } catch {
      setStart({ state: 'closed' });
    }
  }, [cache]);
  useEffect(() => void reread(), [reread]);
  return (
    <Router base="/wallet">
      <Started start={start} reread={reread} />
    </Router>
  );
}

function Started({ start, reread }: { start: Start; reread(): Promise<void> }): ReactNode {
  if (start.state === 'ready' && start.device !== undefined && start.unfinished !== undefined)
    return (
      <Plain>
        <FinishEnrolment device={start.device} unfinished={start.unfinished} reread={reread} />
      </Plain>
    );
  if (start.state === 'ready' && start.device !== undefined)
    return <Enrolled device={start.device} reread={reread} key={start.device.deviceId} />;
  return (
    <Plain>
      {start.state === 'opening' ? <Progress>{shell.opening}</Progress> : null}
      {start.state === 'insecure' ? <CannotStart {...shell.insecure} /> : null}
      {start.state === 'closed' ? <CannotStart {...shell.storage} /> : null}
      {start.state === 'ready' ? <EnrolPage onEnrolled={reread} /> : null}
    </Plain>
  );
}

function isSame(a: Unfinished | undefined, b: Unfinished | undefined): boolean {
  return a?.recoveryCode === b?.recoveryCode && a?.others.length === b?.others.length;
}

function CannotStart({ title, text }: { title: string; text: string }) {
  return (
    <Page title={title}>
      <Note kind="bad">{text}</Note>
    </Page>
  );
}

function Enrolled({ device, reread }: { device: StoredDevice; reread(): Promise<void> }) {
  const session = useDeviceSession(device, reread);
  return (
    <SessionProvider session={session}>
      <Views />
    </SessionProvider>
  );
}

function Views() {
  const inbox = useLiveInbox();
  // At every start: a device from before there were decision keys gets its own now.
  useDecisionKey();
  useAutomaticPayments();
  const [path] = useLocation();
  if (inbox === 'gone')
    return (
      <Plain>
        <DeviceGone />
      </Plain>
    );
  return (
    <Shell>
      <ErrorBoundary key={path}>
        <Switch>
          <Route path="/">
            <InboxPage isLive={inbox === 'live'} />
          </Route>
          <Route path="/review" component={ReviewPage} />
          <Route path="/requests/:id" component={ReviewPage} />
          <Route path="/connect" component={ConnectPage} />
          <Route path="/invitations" component={InvitationsPage} />
          <Route path="/agents" component={ConnectionsPage} />
          <Route path="/policies" component={PoliciesPage} />
          <Route path="/policies/:id">{({ id }) => <PolicyPage policyId={id} />}</Route>
          <Route path="/devices" component={DevicesPage} />
          <Route path="/test-key" component={TestKeyPage} />
          <Route path="/more" component={MorePage} />
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
      </ErrorBoundary>
    </Shell>
  );
}
