import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { areaTexts } from '../../texts/portal/areas.ts';
import { shellTexts } from '../../texts/portal/shell.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { PartyName } from '../../ui/foreign-text.tsx';
import { Brand, LanguageSwitch, ThemeSwitch } from '../../ui/header.tsx';
import { Badge, OfflineNote } from '../../ui/notes.tsx';
import { AREA_GROUPS } from '../areas.tsx';
import { merchantClient } from '../client.ts';
import { announceChange, leave, useMerchant } from '../session.ts';
import { leaveBy } from './leave-guard.tsx';

const CONTENT_ID = 'content';
const NAVIGATION_ID = 'navigation';

/** Frame of every page inside. On narrow screens the navigation folds behind one button. */
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
          <OfflineNote />
          {children}
        </main>
      </div>
    </div>
  );
}

/** The address stays as it is: what stands behind its # is not for places on the page. */
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
                  {areaTexts[area]}
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
