import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { shell } from '../texts/wallet.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Brand } from '../ui/logo.tsx';
import { OfflineNote } from '../ui/offline-note.tsx';
import { ThemeSwitch } from '../ui/theme.tsx';
import { NewDevices } from './devices/new-devices.tsx';
import { openInvitationsQuery } from './invitations/queries.ts';
import { waitingQuery } from './payments/queries.ts';
import { policiesQuery, proposedIn } from './policies/queries.ts';
import { useWallet } from './session/session.tsx';

/** Around what is shown before there is a wallet. */
export function Plain({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="wallet-header">
        <Brand part={shell.product} />
        <ThemeSwitch />
      </header>
      <main className="page-narrow wallet-main" id="content">
        {children}
      </main>
    </>
  );
}

export function Shell({ children }: { children: ReactNode }) {
  const client = useWallet();
  const waiting = useQuery(waitingQuery(client)).data?.length ?? 0;
  const asking = useQuery(openInvitationsQuery(client)).data?.length ?? 0;
  const proposed = proposedIn(useQuery(policiesQuery(client)).data);
  return (
    <>
      <a className="skip-link" href="#content">
        {shell.skip}
      </a>
      <header className="wallet-header">
        <Brand part={shell.product} />
        <ThemeSwitch />
      </header>
      <nav className="wallet-nav" aria-label={shell.nav.label}>
        <Tab icon="inbox" href="/" below="/review" count={waiting}>
          {shell.nav.inbox}
        </Tab>
        <Tab icon="plus" href="/connect">
          {shell.nav.connect}
        </Tab>
        <Tab icon="agents" href="/agents" below="/invitations" count={asking}>
          {shell.nav.agents}
        </Tab>
        <Tab icon="policies" href="/policies" below="/policies/:id" count={proposed}>
          {shell.nav.policies}
        </Tab>
        <Tab icon="devices" href="/devices">
          {shell.nav.devices}
        </Tab>
        <Tab icon="key" href="/test-key">
          {shell.nav.testKey}
        </Tab>
      </nav>
      <main className="wallet-main wallet-page stack" id="content">
        <OfflineNote />
        <NewDevices />
        {children}
      </main>
    </>
  );
}

interface TabProps {
  icon: IconName;
  href: string;
  /** A page that belongs to this tab as well. */
  below?: string;
  count?: number;
  children: ReactNode;
}

function Tab({ icon, href, below = href, count = 0, children }: TabProps) {
  const [isHere] = useRoute(href);
  const [isBelow] = useRoute(below);
  return (
    <Link className="wallet-tab" href={href} aria-current={isHere ? 'page' : isBelow ? 'true' : undefined}>
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
