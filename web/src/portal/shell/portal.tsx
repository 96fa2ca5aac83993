import type { ReactNode } from 'react';
import { Link, Route, Router, Switch } from 'wouter';
import { common } from '../../texts/common.ts';
import { shellTexts } from '../../texts/portal/shell.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Brand, Switches, ThemeSwitch } from '../../ui/header.tsx';
import { Skeleton } from '../../ui/notes.tsx';
import { Loaded } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { PAGES } from '../areas.tsx';
import { idInPath } from '../parts/path-part.ts';
import { resumeSession, useResumedSession } from '../resume.ts';
import { useSession } from '../session.ts';
import { CancelPasskeyPage } from '../sign-in/cancel-passkey-page.tsx';
import { LinkPage } from '../sign-in/link-page.tsx';
import { RequestLinkPage } from '../sign-in/request-link-page.tsx';
import { Layout } from './layout.tsx';
import { askedNavigation, LeaveQuestion } from './leave-guard.tsx';

export function Portal() {
  return (
    <Router base="/portal" aroundNav={askedNavigation}>
      <Switch>
        {/* The mailed link works whether or not someone is signed in already. */}
        <Route path="/verify">
          {/* Without the choice of language, which reloads the page and thereby deletes the link. */}
          <OutsideFrame switches={<ThemeSwitch />}>
            <LinkPage />
          </OutsideFrame>
        </Route>
        <Route path="/cancel-passkey">
          <OutsideFrame switches={<ThemeSwitch />}>
            <CancelPasskeyPage />
          </OutsideFrame>
        </Route>
        <Route>
          <SessionGate />
        </Route>
      </Switch>
      <LeaveQuestion />
    </Router>
  );
}

function SessionGate() {
  useResumedSession();
  const session = useSession();
  // Another organization remounts every page: nothing of the previous one may remain in their state.
  if (session.place === 'inside') return <Inside key={session.merchant.merchant_id} />;
  return (
    <OutsideFrame>
      {session.place === 'unknown' ? <Skeleton /> : null}
      {session.place === 'outside' ? <RequestLinkPage reason={session.reason} /> : null}
      {session.place === 'unreachable' ? (
        <Page title={shellTexts.unreachableTitle}>
          <ErrorNote error={session.error} />
          <Button kind="main" onClick={() => void resumeSession()}>
            {common.tryAgain}
          </Button>
        </Page>
      ) : null}
    </OutsideFrame>
  );
}

function Inside() {
  return (
    <Layout>
      <Switch>
        {Object.entries(PAGES).map(([path, PortalPage]) => (
          <Route key={path} path={path}>
            {(params: { id?: string }) => (
              <Loaded key={params.id}>
                <PortalPage id={idInPath(params.id ?? '')} />
              </Loaded>
            )}
          </Route>
        ))}
        <Route>
          <NotFoundPage />
        </Route>
      </Switch>
    </Layout>
  );
}

function NotFoundPage() {
  return (
    <Page title={shellTexts.notFound.title}>
      <p>{shellTexts.notFound.text}</p>
      <p>
        <Link href="/">{shellTexts.notFound.action}</Link>
      </p>
    </Page>
  );
}

interface OutsideFrameProps {
  switches?: ReactNode;
  children: ReactNode;
}

/** The frame of every page before the sign-in. */
function OutsideFrame({ switches = <Switches />, children }: OutsideFrameProps) {
  return (
    <div className="outside">
      <header className="outside-bar">
        <Brand />
        {switches}
      </header>
      <main className="outside-main">
        <div className="card outside-card">{children}</div>
      </main>
      <footer className="outside-foot soft">{shellTexts.footer}</footer>
    </div>
  );
}
