import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Router } from 'wouter';
import { shell } from '../texts/wallet.ts';
import { Note, Skeleton } from '../ui/notes.tsx';
import { Loaded, onDemand } from '../ui/on-demand.tsx';
import { Page } from '../ui/page.tsx';
import { queries } from '../ui/queries.ts';
import { EnrolPage } from './enrol/enrol-page.tsx';
import { Plain } from './plain.tsx';
import { readDevice, readUnfinished, type StoredDevice, type Unfinished } from './storage/device-store.ts';

// A new visitor needs the enrolment, so it is in the first files; later visits find all files cached.
const Enrolled = onDemand(() => import('./enrolled.tsx'), 'Enrolled');
const FinishEnrolment = onDemand(() => import('./enrol/finish-enrolment.tsx'), 'FinishEnrolment');

type Start =
  | { state: 'opening' }
  | { state: 'insecure' }
  | { state: 'closed' }
  | { state: 'ready'; device: StoredDevice | undefined; unfinished: Unfinished | undefined };

export function WalletApp() {
  const [start, setStart] = useState<Start>({ state: 'opening' });
  const shownId = useRef<string>(undefined);
  // Every page of this browser may have changed the stored device, so it is read again.
  const reread = useCallback(async () => {
    if (!isSecureContext) return setStart({ state: 'insecure' });
    try {
      const [device, unfinished] = await Promise.all([readDevice(), readUnfinished()]);
      // Nothing of a previous wallet may be shown in the next one.
      if (device?.deviceId !== shownId.current) queries.clear();
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
  }, []);
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
        <Loaded>
          <FinishEnrolment device={start.device} unfinished={start.unfinished} reread={reread} />
        </Loaded>
      </Plain>
    );
  if (start.state === 'ready' && start.device !== undefined)
    return (
      <Loaded key={start.device.deviceId} frame={Plain}>
        <Enrolled device={start.device} reread={reread} />
      </Loaded>
    );
  return (
    <Plain>
      {start.state === 'opening' ? <Skeleton /> : null}
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
