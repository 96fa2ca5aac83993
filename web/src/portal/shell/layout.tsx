import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { areaTexts } from '../../texts/portal/areas.ts';
import { shellTexts } from '../../texts/portal/shell.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { ArrivalPlace, Arrivals, useIsShown } from '../../ui/arrivals.tsx';
import { Button } from '../../ui/button.tsx';
import { PartyName } from '../../ui/foreign-text.tsx';
import { Brand, LanguageSwitch, ThemeSwitch } from '../../ui/header.tsx';
import { Badge } from '../../ui/notes.tsx';
import { OfflineNote } from '../../ui/offline-note.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { AREA_GROUPS, type AreaName } from '../areas.tsx';
import { merchantClient } from '../client.ts';
import { announceChange, leave, useMerchant, useOperator } from '../session.ts';
import { leaveBy } from './leave-guard.tsx';
import { useMay } from './offered.tsx';

const CONTENT_ID = 'content';
const NAVIGATION_ID = 'navigation';
const AreaIcon = onDemand(() => import('./area-icon.tsx'), 'AreaIcon');

/** Frame of every signed-in page. On narrow screens the navigation folds behind one button. */
export function Layout({ children }: { children: ReactNode }) {
  const merchant = useMerchant();
  const [location] = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of page, and nothing else, folds the menu
  useEffect(() => setMenuOpen(false), [location]);
  return (
    <div className="portal">
      <a className="skip-link" href={`#${CONTENT_ID}`} onClick={focusContent}>
        {shellTexts.skip}
      </a>
      <header className="portal-bar">
        <span className="portal-menu-button">
          <Button
            aria-expanded={isMenuOpen}
            aria-controls={NAVIGATION_ID}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            {shellTexts.menu}
          </Button>
        </span>
        <Brand />
        <span className="portal-organization">
          <PartyName inline>{merchant.name}</PartyName>
          {merchant.status === 'pending' ? <Badge tone="warn">{shellTexts.pending}</Badge> : null}
        </span>
        <span className="portal-bar-end">
          <ThemeSwitch />
          <SignOutButton />
        </span>
      </header>
      <div className="portal-body">
        <nav
          id={NAVIGATION_ID}
          className="portal-navigation"
          data-open={isMenuOpen}
          aria-label={shellTexts.navigation}
        >
          <Navigation />
        </nav>
        <main id={CONTENT_ID} className="portal-content" tabIndex={-1}>
          <Arrivals page={location} isShown={useIsShown(location)}>
            <OfflineNote />
            {children}
            <ArrivalPlace />
          </Arrivals>
        </main>
      </div>
    </div>
  );
}

/** Moves the focus and leaves the address alone: its fragment does not name places on the page. */
function focusContent(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById(CONTENT_ID)?.focus();
}

function Navigation() {
  const [location] = useLocation();
  return (
    <>
      {AREA_GROUPS.map(([group, areas]) => (
        <div key={group} className="navigation-group">
          <p className="navigation-title">{areaTexts.groups[group]}</p>
          <ul>
            {areas.map(([area, path]) => (
              <li key={area}>
                <Link
                  href={path}
                  className="navigation-link"
                  aria-current={isWithin(location, path) ? 'page' : undefined}
                >
                  <Suspense fallback={<span className="icon" />}>
                    <AreaIcon area={area} />
                  </Suspense>
                  {areaTexts[area]}
                  <Waiting area={area} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="navigation-foot">
        <a href="/docs" target="_blank" rel="noreferrer">
          {shellTexts.reference}
        </a>
        <LanguageSwitch />
      </p>
    </>
  );
}

const APPROVALS_MS = 15_000;

/** How many changes of other owners await this owner's approval. */
function useWaitingApprovals(): number {
  const me = useOperator();
  const query = useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: ({ signal }) => merchantClient.approvals.list({ status: 'pending', limit: 100 }, { signal }),
    enabled: useMay('POST /v1/approvals/{}/approve'),
    refetchInterval: APPROVALS_MS,
  });
  const waiting = query.data?.approvals.filter((approval) => approval.requested_by !== me.operator_id);
  return waiting?.length ?? 0;
}

/** The number of approvals that await the reader in an area. */
function Waiting({ area }: { area: AreaName }) {
  return area === 'approvals' ? <WaitingApprovals /> : null;
}

function WaitingApprovals() {
  const count = useWaitingApprovals();
  if (count === 0) return null;
  return (
    <span className="navigation-count">
      {count}
      <span className="visually-hidden"> {shellTexts.waiting}</span>
    </span>
  );
}

function isWithin(location: string, path: string): boolean {
  return location === path || (path !== '/' && location.startsWith(`${path}/`));
}

function SignOutButton() {
  const { isBusy, error, run } = useAction();
  const signOut = async () => {
    await merchantClient.sessions.signOut();
    leave('signed-out');
    announceChange();
  };
  return (
    <>
      <Button kind="plain" isBusy={isBusy} onClick={() => leaveBy(() => void run(signOut))}>
        {shellTexts.signOut}
      </Button>
      <Problem error={error} />
    </>
  );
}
