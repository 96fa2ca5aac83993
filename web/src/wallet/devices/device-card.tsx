import type { Device, WalletAuthorization } from '@payassent/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { devices } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Badge } from '../../ui/notes.tsx';
import { useAuthorization } from '../decisions/queries.ts';
import { EditNickname, Nickname } from '../nicknames/nickname.tsx';
import { useSession } from '../session/session.tsx';

export function DeviceCard({ device, isLast }: { device: Device; isLast: boolean }) {
  const session = useSession();
  const cache = useQueryClient();
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
    else await cache.invalidateQueries({ queryKey: ['devices'] });
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
        {isThis ? (
          <ConfirmButton
            kind="usual"
            label={devices.rotate.action}
            title={devices.rotate.title}
            confirmLabel={devices.rotate.confirm}
            run={rotate}
          >
            <p>{devices.rotate.text}</p>
          </ConfirmButton>
        ) : null}
        <ConfirmButton
          label={devices.remove.action}
          title={devices.remove.title(isThis)}
          confirmLabel={devices.remove.confirm}
          run={remove}
        >
          <p>{isThis ? devices.remove.self : devices.remove.other}</p>
          {isLast ? <p>{devices.remove.last}</p> : null}
        </ConfirmButton>
      </div>
    </article>
  );
}
