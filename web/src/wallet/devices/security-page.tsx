import { ChangePendingError, type Device, isApiError, type PendingChange } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { devices, security, pendingChanges as texts } from '../../texts/wallet.ts';
import { ActionButton, ConfirmButton } from '../../ui/action-buttons.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { NoPasskeyError } from '../../ui/passkey.ts';
import { refresh } from '../../ui/queries.ts';
import { DecisionKeyCard } from '../decisions/key-card.tsx';
import { useAuthorization } from '../decisions/queries.ts';
import { guard } from '../lock/guard.ts';
import { LockCard } from '../lock/lock-card.tsx';
import { useLock } from '../lock/queries.ts';
import { useSession } from '../session/session.tsx';
import { isCodeAwaited, setCodeAwaited } from '../storage/device-store.ts';
import { Activity } from './activity.tsx';
import { devicesQuery, pendingChangesQuery } from './device-notes.tsx';

/** Who can decide with this wallet: the lock and the key of this device, the recovery, and recent events. */
export function SecurityPage() {
  const isRead = useLock() !== undefined;
  return (
    <Page title={security.title}>
      <p>{security.intro}</p>
      <PendingChanges />
      {/* What is on this device first, and below it what comes from the service: nothing moves when it arrives. */}
      {isRead ? (
        <>
          <LockCard />
          <NewRecoveryCode />
          <DecisionKeyCard />
          <Activity />
        </>
      ) : null}
    </Page>
  );
}

function PendingChanges() {
  const { client } = useSession();
  const waiting = useQuery(pendingChangesQuery(client)).data ?? [];
  const devices = useQuery(devicesQuery(client)).data ?? [];
  if (waiting.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="pending-changes-title">
      <h2 id="pending-changes-title">{texts.title}</h2>
      <p>{texts.lead}</p>
      <ul className="wallet-list">
        {waiting.map((change) => (
          <li key={change.change_id}>
            <Change change={change} devices={devices} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Change({ change, devices }: { change: PendingChange; devices: readonly Device[] }) {
  const { client } = useSession();
  const nameOf = (id: string) => devices.find(({ device_id }) => device_id === id)?.name ?? id;
  const cancel = async () => {
    await client.pendingChanges.cancel(change.change_id);
    await refresh('pending-changes', 'decision-key');
  };
  return (
    <div className="stack-tight" data-change={change.act}>
      <strong>{texts.acts[change.act]}</strong>
      {change.device_id === null ? null : (
        <span>
          {texts.device} <ForeignText inline>{nameOf(change.device_id)}</ForeignText>
        </span>
      )}
      <span>
        {texts.requestedBy} <ForeignText inline>{nameOf(change.requested_by)}</ForeignText>
      </span>
      <span>
        {texts.takesEffect} <Moment>{change.takes_effect_at}</Moment>
      </span>
      <ActionButton kind="danger" run={cancel}>
        {texts.cancel}
      </ActionButton>
    </div>
  );
}

const recoveryTexts = devices.recovery;
const RECOVERY = { act: 'recovery_code', deviceId: null, thumbprint: null } as const;

function NewRecoveryCode() {
  const { client, showRecoveryCode } = useSession();
  const authorized = useAuthorization();
  const isLost = useQuery({ queryKey: ['awaited-recovery-code'], queryFn: isCodeAwaited }).data;
  /** A code that is created while the page closes is never shown: the next page shows a note. */
  const make = async () => {
    if (!(await guard('recovery'))) return;
    await setCodeAwaited(true);
    try {
      const { recovery_code } = await authorized(RECOVERY, (by) => client.devices.createRecoveryCode(by));
      await showRecoveryCode(recovery_code);
    } catch (error) {
      const isUnchanged = error instanceof ChangePendingError || error instanceof NoPasskeyError;
      if (isUnchanged || (isApiError(error) && error.httpStatus < 500)) await setCodeAwaited(false);
      throw error;
    }
  };
  return (
    <section className="card stack" aria-labelledby="recovery-title">
      <h2 id="recovery-title">{recoveryTexts.title}</h2>
      {isLost ? <Note kind="warn" texts={recoveryTexts.lost} /> : null}
      <p>{recoveryTexts.how}</p>
      <ConfirmButton texts={{ ...recoveryTexts, title: recoveryTexts.question }} kind="usual" run={make} />
    </section>
  );
}
