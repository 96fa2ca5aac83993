import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { Link } from 'wouter';
import { devices as texts } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Note } from '../../ui/notes.tsx';
import { useSession } from '../session/session.tsx';
import { keepKnownDevices } from '../storage/device-store.ts';
import { devicesQuery, knownDevicesQuery } from './queries.ts';

const REFRESH_MS = 15_000;

/** A device that joined meanwhile is told on every page of every other one, until somebody says that it was theirs. */
export function NewDevices() {
  const { client } = useSession();
  const cache = useQueryClient();
  const all = useQuery({ ...devicesQuery(client), refetchInterval: REFRESH_MS }).data;
  const known = useQuery(knownDevicesQuery()).data;
  const acknowledge = useCallback(async () => {
    await keepKnownDevices((all ?? []).map(({ device_id }) => device_id));
    await cache.invalidateQueries({ queryKey: ['known-devices'] });
  }, [all, cache]);
  const isFirstLook = known === null && all !== undefined;
  useEffect(() => {
    if (isFirstLook) void acknowledge();
  }, [isFirstLook, acknowledge]);
  if (!known || all === undefined) return null;
  const fresh = all.filter(({ device_id }) => !known.includes(device_id));
  if (fresh.length === 0) return null;
  return (
    <Note kind="warn">
      <strong>{texts.joined.title}</strong>
      {fresh.map((device) => (
        <span key={device.device_id}>
          <ForeignText inline>{device.name}</ForeignText>, <Moment>{device.created_at}</Moment>
        </span>
      ))}
      <span>{texts.joined.text}</span>
      <div className="row">
        <Button onClick={acknowledge}>{texts.joined.mine}</Button>
        <Link className="button" data-kind="plain" href="/devices">
          {texts.joined.look}
        </Link>
      </div>
    </Note>
  );
}
