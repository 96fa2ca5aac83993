// The reference wallet: pages by area, next to them signing, storage and the lock. Nothing outside imports from here.
// Invariants: what is approved is what was drawn, its digest computed on this device, and nothing is signed twice. This
// file is the first view of an enrolled device: each page loads with its route, which keeps the view below its limit of
// 130 kB.
import { Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { shell } from '../texts/wallet.ts';
import { EmptyState } from '../ui/notes.tsx';
import { ErrorBoundary, Loaded, onDemand } from '../ui/on-demand.tsx';
import { Page } from '../ui/page.tsx';
import { InboxPage } from './inbox/inbox-page.tsx';
import { useLiveInbox } from './inbox/use-live-inbox.ts';
import { LockQuestion } from './lock/lock-question.tsx';
import { Plain } from './plain.tsx';
import { DeviceGone, SessionProvider, useDeviceSession } from './session/session.tsx';
import { MorePage, Shell } from './shell.tsx';
import type { StoredDevice } from './storage/device-store.ts';

const ActivityPage = onDemand(() => import('./activity/activity-page.tsx'), 'ActivityPage');
const ReceiptPage = onDemand(() => import('./activity/receipt-page.tsx'), 'ReceiptPage');
const ConnectPage = onDemand(() => import('./connect/connect-page.tsx'), 'ConnectPage');
const ConnectionsPage = onDemand(() => import('./connections/connections-page.tsx'), 'ConnectionsPage');
const SecurityPage = onDemand(() => import('./devices/security-page.tsx'), 'SecurityPage');
const NotificationsPage = onDemand(() => import('./signals/notifications-page.tsx'), 'NotificationsPage');
const DevicesPage = onDemand(() => import('./devices/devices-page.tsx'), 'DevicesPage');
const InvitationsPage = onDemand(() => import('./connections/invitations-page.tsx'), 'InvitationsPage');
const ReviewPage = onDemand(() => import('./payments/review-page.tsx'), 'ReviewPage');
const PoliciesPage = onDemand(() => import('./policies/policies-page.tsx'), 'PoliciesPage');
const PolicyPage = onDemand(() => import('./policies/policy-page.tsx'), 'PolicyPage');
const TestKeyPage = onDemand(() => import('./stellar/test-key-page.tsx'), 'TestKeyPage');
const AutomaticPayments = onDemand(() => import('./automatic/automatic-payments.tsx'), 'AutomaticPayments');

/** Everything behind the enrolment. */
export function Enrolled({ device, reread }: { device: StoredDevice; reread(): Promise<void> }) {
  const session = useDeviceSession(device, reread);
  return (
    <SessionProvider session={session}>
      <Views />
    </SessionProvider>
  );
}

function Views() {
  const inbox = useLiveInbox();
  const [path] = useLocation();
  if (inbox === 'gone')
    return (
      <Plain>
        <DeviceGone />
      </Plain>
    );
  return (
    <Shell>
      <ErrorBoundary>
        <Suspense>
          <AutomaticPayments />
        </Suspense>
        <LockQuestion />
      </ErrorBoundary>
      <Loaded key={path}>
        <Switch>
          <Route path="/">
            <InboxPage isLive={inbox === 'live'} />
          </Route>
          <Route path="/activity" component={ActivityPage} />
          <Route path="/receipt" component={ReceiptPage} />
          <Route path="/review" component={ReviewPage} />
          <Route path="/requests/:id" component={ReviewPage} />
          <Route path="/connect" component={ConnectPage} />
          <Route path="/invitations" component={InvitationsPage} />
          <Route path="/agents" component={ConnectionsPage} />
          <Route path="/policies" component={PoliciesPage} />
          <Route path="/policies/:id">{({ id }) => <PolicyPage policyId={id} />}</Route>
          <Route path="/security" component={SecurityPage} />
          <Route path="/notifications" component={NotificationsPage} />
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
      </Loaded>
    </Shell>
  );
}
