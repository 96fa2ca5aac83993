import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import { shell } from '../texts/wallet.ts';
import { ArrivalPlace, Arrivals, useIsShown } from '../ui/arrivals.tsx';
import { Brand, Switches } from '../ui/header.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { OfflineNote } from '../ui/offline-note.tsx';
import { Page } from '../ui/page.tsx';
import { openInvitationsQuery } from './connections/queries.ts';
import { NewDevices, PendingChangesNote, pendingChangesQuery } from './devices/device-notes.tsx';
import { waitingQuery } from './payments/gateway.ts';
import { policiesQuery, proposedIn } from './policies/queries.ts';
import { useWallet } from './session/session.tsx';
import { useSignals } from './signals/push.ts';

export function Shell({ children }: { children: ReactNode }) {
  const client = useWallet();
  const waiting = useQuery(waitingQuery(client)).data?.length ?? 0;
  const asking = useQuery(openInvitationsQuery(client)).data?.length ?? 0;
  const proposed = proposedIn(useQuery(policiesQuery(client)).data);
  const changes = useQuery(pendingChangesQuery(client)).data?.length ?? 0;
  useSignals(waiting + asking + proposed + changes);
  const [isAlone] = useRoute(SHEETS);
  const [path] = useLocation();
  return (
    <>
      <a className="skip-link" href="#content">
        {shell.skip}
      </a>
      <header className="wallet-header">
        <Brand part={shell.product} />
        <Switches />
      </header>
      <nav className="wallet-nav" aria-label={shell.nav.label}>
        <Tab icon="inbox" href="/" below="/review" count={waiting}>
          {shell.nav.inbox}
        </Tab>
        <Tab icon="clock" href="/activity" below="/receipt">
          {shell.nav.activity}
        </Tab>
        <Tab icon="plus" href="/connect">
          {shell.nav.connect}
        </Tab>
        <Tab icon="agents" href="/agents" below="/invitations" count={asking}>
          {shell.nav.agents}
        </Tab>
        {REST.map(({ name, ...tab }) => (
          <Tab key={name} {...tab} count={name === 'policies' ? proposed : 0} on="wide">
            {shell.nav[name]}
          </Tab>
        ))}
        <Tab icon="more" href="/more" below={BELOW_MORE} count={proposed} on="phone">
          {shell.nav.more}
        </Tab>
      </nav>
      <main className="wallet-main wallet-page" id="content" data-alone={isAlone}>
        <Arrivals page={path} isShown={useIsShown(path)} needs={NEEDED_NOTICES}>
          <div className="stack">
            <OfflineNote />
            <NewDevices />
            <PendingChangesNote />
            {children}
          </div>
          <ArrivalPlace />
        </Arrivals>
      </main>
    </>
  );
}

/** What decides which notices are above the pages. All of it is read at the same time as the pages. */
const NEEDED_NOTICES = [
  ['devices'],
  ['known-devices'],
  ['pending-changes'],
  ['decision-key'],
  ['invitations', 'open'],
  ['policies', 'all'],
];

/** On a phone these have the whole screen. */
const SHEETS = /^\/(?:review|requests\/[^/]+)$/;

/** What a phone's bar has no room for. */
const REST = [
  { name: 'policies', icon: 'policies', href: '/policies', below: '/policies/:id' },
  { name: 'security', icon: 'lock', href: '/security', below: undefined },
  { name: 'notifications', icon: 'notifications', href: '/notifications', below: undefined },
  { name: 'devices', icon: 'devices', href: '/devices', below: undefined },
  { name: 'testKey', icon: 'key', href: '/test-key', below: undefined },
] as const;
const BELOW_MORE = /^\/(?:policies|security|notifications|devices|test-key)(?:\/|$)/;

/** The rest of the pages, for phones. */
export function MorePage() {
  const proposed = proposedIn(useQuery(policiesQuery(useWallet())).data);
  return (
    <Page title={shell.nav.more}>
      <nav className="wallet-more" aria-label={shell.nav.rest}>
        {REST.map(({ name, ...tab }) => (
          <Tab key={name} {...tab} count={name === 'policies' ? proposed : 0}>
            {shell.nav[name]}
          </Tab>
        ))}
      </nav>
    </Page>
  );
}

interface TabProps {
  icon: IconName;
  href: string;
  /** Pages that belong to this tab as well. */
  below?: string | RegExp | undefined;
  count?: number;
  /** Where the link is shown; everywhere unless stated. */
  on?: 'wide' | 'phone';
  children: ReactNode;
}

function Tab({ icon, href, below = href, count = 0, on, children }: TabProps) {
  const [isHere] = useRoute(href);
  const [isBelow] = useRoute(below);
  return (
    <Link
      className="wallet-tab"
      data-on={on}
      href={href}
      aria-current={isHere ? 'page' : isBelow ? 'true' : undefined}
    >
      <Icon name={icon} />
      {children}
      {count === 0 ? null : (
        <span className="wallet-count" title={shell.waiting(count)}>
          {count}
          <span className="visually-hidden">{shell.waiting(count).replace(/^\d+/, '')}</span>
        </span>
      )}
    </Link>
  );
}
