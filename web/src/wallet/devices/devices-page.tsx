import {
  ChangePendingError,
  type Device,
  isApiError,
  type PendingChange,
  type WalletAuthorization,
} from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { connect, devices, pendingChanges as texts } from '../../texts/wallet.ts';
import { ActionButton, ConfirmButton } from '../../ui/action-buttons.tsx';
import { CopyButton } from '../../ui/button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Badge, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { NoPasskeyError } from '../../ui/passkey.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { useCountdown } from '../connect/use-countdown.ts';
import { EndorseDevice } from '../decisions/endorse-device.tsx';
import { DecisionKeyCard } from '../decisions/key-card.tsx';
import { useAuthorization } from '../decisions/queries.ts';
import { guard } from '../lock/guard.ts';
import { LockCard } from '../lock/lock-card.tsx';
import { EditNickname, Nickname } from '../nicknames/nickname.tsx';
import { useSession, useWallet } from '../session/session.tsx';
import { RingCard } from '../signals/ring-card.tsx';
import { isCodeAwaited, setCodeAwaited } from '../storage/device-store.ts';
import { Activity } from './activity.tsx';
import { devicesQuery, pendingChangesQuery } from './device-notes.tsx';

const REFRESH_MS = 4_000;

export function DevicesPage() {
  const { client, device } = useSession();
  const query = useQuery({ ...devicesQuery(client), refetchInterval: REFRESH_MS });
  return (
    <Page title={devices.title}>
      <p>{devices.intro}</p>
      <PendingChanges />
      <QueryView query={query}>
        {(all) => (
          <ul className="wallet-list">
            {thisOneFirst(all, device.deviceId).map((one) => (
              <li key={one.device_id}>
                <DeviceCard device={one} isLast={all.length === 1} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <RingCard />
      <LockCard />
      <DecisionKeyCard />
      <EndorseDevice devices={query.data ?? []} />
      <LinkDevice />
      <NewRecoveryCode />
      <Activity />
    </Page>
  );
}

function thisOneFirst(all: readonly Device[], deviceId: string): Device[] {
  return [...all].sort((a, b) => Number(b.device_id === deviceId) - Number(a.device_id === deviceId));
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

function DeviceCard({ device, isLast }: { device: Device; isLast: boolean }) {
  const session = useSession();
  const authorized = useAuthorization();
  const [isRotated, setRotated] = useState(false);
  const isThis = device.device_id === session.device.deviceId;
  const rotate = async () => {
    const { token } = await session.client.devices.rotateToken();
    await session.replace({ ...session.device, token });
    setRotated(true);
  };
  const remove = async () => {
    const { device_id: deviceId, decision_key: key } = device;
    const change = { act: 'delete_device', deviceId, thumbprint: key?.thumbprint ?? null } as const;
    const call = (by: { authorization?: WalletAuthorization }) => session.client.devices.delete(deviceId, by);
    await (key ? authorized(change, call) : call({}));
    if (isThis) await session.forget();
    else await refresh('devices');
  };
  return (
    <article className="card stack" aria-label={device.name}>
      <div className="row-between wallet-name">
        <h2>
          <ForeignText inline>{device.name}</ForeignText>
        </h2>
        {isThis ? <Badge tone="accent">{devices.thisDevice}</Badge> : null}
      </div>
      <Nickname id={device.device_id} />
      <Facts
        facts={[
          device.platform === null
            ? null
            : [devices.platform, <ForeignText key="platform">{device.platform}</ForeignText>],
          [devices.added, <Moment key="added">{device.created_at}</Moment>],
        ]}
      />
      <EditNickname id={device.device_id} trueName={device.name} />
      {isThis ? <p role="status">{isRotated ? devices.rotate.done : ''}</p> : null}
      <div className="row">
        {isThis ? <ConfirmButton texts={devices.rotate} kind="usual" run={rotate} /> : null}
        <ConfirmButton
          texts={{
            ...devices.remove,
            title: devices.remove.title(isThis),
            text: isThis ? devices.remove.self : devices.remove.other,
          }}
          run={remove}
        >
          {isLast ? <p>{devices.remove.last}</p> : null}
        </ConfirmButton>
      </div>
    </article>
  );
}

interface LinkCode {
  link_code: string;
  expires_at: string;
}

function LinkDevice() {
  const client = useWallet();
  const [made, setMade] = useState<LinkCode>();
  const make = async () => {
    if (await guard('link')) setMade(await client.devices.createLinkCode());
  };
  return (
    <section className="card stack" aria-labelledby="link-title">
      <h2 id="link-title">{devices.link.title}</h2>
      <p>{devices.link.how}</p>
      {made === undefined ? null : <ShownCode made={made} key={made.link_code} />}
      <ActionButton run={make}>{made === undefined ? devices.link.action : devices.link.again}</ActionButton>
    </section>
  );
}

function ShownCode({ made }: { made: LinkCode }) {
  const left = useCountdown(made.expires_at);
  if (left === undefined) return <Note kind="warn">{devices.link.expired}</Note>;
  return (
    <div className="stack-tight">
      <QrCode value={made.link_code} label={devices.link.qr} />
      <code className="mono">{made.link_code}</code>
      <CopyButton value={made.link_code} name={devices.link.name} />
      <strong>{connect.key.left(left)}</strong>
      <Note kind="warn">{devices.link.secret}</Note>
    </div>
  );
}

const recoveryTexts = devices.recovery;
const RECOVERY = { act: 'recovery_code', deviceId: null, thumbprint: null } as const;

function NewRecoveryCode() {
  const { client, showRecoveryCode } = useSession();
  const authorized = useAuthorization();
  const isLost = useQuery({ queryKey: ['awaited-recovery-code'], queryFn: isCodeAwaited }).data;
  /** No one sees a code that is made while the page closes: the next page says so. */
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
