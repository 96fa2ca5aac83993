import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { decisionKeys } from '../texts/wallet/decision-keys.ts';
import { firstWeek as texts } from '../texts/wallet/first-week.ts';
import { useAction } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Icon } from '../ui/icon.tsx';
import { Note } from '../ui/notes.tsx';
import { hasPasskeys, NoPasskeyError } from '../ui/passkey.ts';
import { queries, refresh } from '../ui/queries.ts';
import { connectionsQuery } from './connections/queries.ts';
import { useDecisionKey } from './decisions/queries.ts';
import { choosePasskey, replaceLock } from './lock/change-lock.ts';
import { guard } from './lock/guard.ts';
import { useLock } from './lock/queries.ts';
import { useSession } from './session/session.tsx';
import { readRinging, startRinging } from './signals/push.ts';

const DISMISSED = 'payassent-first-week-dismissed';

/** Once an agent is connected: lock and notifications, one tap each, until they are set up or dismissed. */
export function FirstWeek() {
  const { client } = useSession();
  const connections = useQuery(connectionsQuery(client)).data ?? [];
  const lock = useLock();
  const ringing = useQuery({ queryKey: ['ringing'], queryFn: readRinging }).data;
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null);
  const dismiss = () => {
    localStorage.setItem(DISMISSED, new Date().toISOString());
    setDismissed(true);
  };
  const isConnected = connections.some(({ status }) => status === 'active');
  if (!isConnected || isDismissed || lock === undefined || ringing === undefined) return null;
  if (lock !== null && ringing !== 'off') return null;
  return (
    <section className="card stack-tight" aria-labelledby="first-week-title">
      <div className="row-between">
        <h2 id="first-week-title">{texts.title}</h2>
        <Button kind="plain" onClick={dismiss}>
          {texts.dismiss}
        </Button>
      </div>
      <OfferedLock isDone={lock !== null} />
      {ringing === 'off' || ringing === 'on' ? <OfferedNotifications isDone={ringing === 'on'} /> : null}
    </section>
  );
}

function OfferedLock({ isDone }: { isDone: boolean }) {
  const { device } = useSession();
  const held = useDecisionKey().data?.held;
  const { isBusy, error, run } = useAction();
  const lock = () =>
    run(async () => {
      if (!(await guard('change'))) return;
      await replaceLock({ kind: 'passkey', credentialId: await choosePasskey(held, device) }, []);
      await refresh('lock', 'test-key');
    });
  return (
    <>
      <Offer words={texts.lock} isDone={isDone}>
        {hasPasskeys() ? (
          <Button isBusy={isBusy} onClick={lock}>
            {texts.lock.action}
          </Button>
        ) : (
          // Where a browser has no passkeys it is a PIN, which has to be typed.
          <Link className="button" href="/security">
            {texts.lock.pin}
          </Link>
        )}
      </Offer>
      <Refused error={error} />
    </>
  );
}

function OfferedNotifications({ isDone }: { isDone: boolean }) {
  const { client } = useSession();
  const { isBusy, error, run } = useAction();
  const start = () =>
    run(async () => {
      queries.setQueryData(['ringing'], await startRinging(client));
      await refresh('devices');
    });
  return (
    <>
      <Offer words={texts.notifications} isDone={isDone}>
        <Button isBusy={isBusy} onClick={start}>
          {texts.notifications.action}
        </Button>
      </Offer>
      <Refused error={error} />
    </>
  );
}

interface OfferProps {
  words: { what: string; done: string };
  isDone: boolean;
  children: ReactNode;
}

function Offer({ words, isDone, children }: OfferProps) {
  return (
    <div className="row-between">
      <span role="status" className="row">
        {isDone ? <Icon name="done" /> : null}
        {isDone ? words.done : words.what}
      </span>
      {isDone ? null : children}
    </div>
  );
}

function Refused({ error }: { error: unknown }) {
  if (error === undefined) return null;
  if (error instanceof NoPasskeyError) return <Note kind="warn">{decisionKeys.usePasskey.refused}</Note>;
  return <ErrorNote error={error} />;
}
