import type { Device, WalletAuthorization } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { connect, devices } from '../../texts/wallet.ts';
import { ActionButton, ConfirmButton } from '../../ui/action-buttons.tsx';
import { CopyButton } from '../../ui/button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Badge, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { useCountdown } from '../connect/use-countdown.ts';
import { EndorseDevice } from '../decisions/endorse-device.tsx';
import { useAuthorization } from '../decisions/queries.ts';
import { guard } from '../lock/guard.ts';
import { EditNickname, Nickname } from '../nicknames/nickname.tsx';
import { useSession, useWallet } from '../session/session.tsx';
import { devicesQuery } from './device-notes.tsx';

const REFRESH_MS = 4_000;

export function DevicesPage() {
  const { client, device } = useSession();
  const query = useQuery({ ...devicesQuery(client), refetchInterval: REFRESH_MS });
  return (
    <Page title={devices.title}>
      <p>{devices.intro}</p>
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
      {query.isPending ? null : (
        <>
          <LinkDevice />
          <EndorseDevice devices={query.data ?? []} />
        </>
      )}
    </Page>
  );
}

function thisOneFirst(all: readonly Device[], deviceId: string): Device[] {
  return [...all].sort((a, b) => Number(b.device_id === deviceId) - Number(a.device_id === deviceId));
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
