import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { shellTexts } from '../../texts/portal/shell.ts';
import { Button } from '../../ui/button.tsx';
import { Brand } from '../../ui/logo.tsx';
import { Badge } from '../../ui/notes.tsx';
import { OfflineNote } from '../../ui/offline-note.tsx';
import { PartyName } from '../../ui/party-name.tsx';
import { ThemeSwitch } from '../../ui/theme.tsx';
import { useMerchant } from '../session.ts';
import { Navigation } from './navigation.tsx';
import { SignOutButton } from './sign-out-button.tsx';

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
