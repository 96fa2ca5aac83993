import type { WalletClient } from '@payassent/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { Link } from 'wouter';
import { pendingChanges, devices as texts } from '../../texts/wallet.ts';
import { Arrival } from '../../ui/arrivals.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Note } from '../../ui/notes.tsx';
import { refresh } from '../../ui/queries.ts';
import { PAGE, readAll } from '../read-up-to.ts';
import { useSession } from '../session/session.tsx';
import { keepKnownDevices, readKnownDevices } from '../storage/device-store.ts';

const REFRESH_MS = 15_000;

/** Every page of every other device shows a device that has joined, until the customer confirms that it is theirs. */
export function NewDevices() {
  const { client } = useSession();
  const all = useQuery({ ...devicesQuery(client), refetchInterval: REFRESH_MS }).data;
  const known = useQuery(knownDevicesQuery()).data;
  const acknowledge = useCallback(async () => {
    await keepKnownDevices((all ?? []).map(({ device_id }) => device_id));
    await refresh('known-devices');
  }, [all]);
  const isFirstLook = known === null && all !== undefined;
  useEffect(() => {
    if (isFirstLook) void acknowledge();
  }, [isFirstLook, acknowledge]);
  if (!known || all === undefined) return null;
  const fresh = all.filter(({ device_id }) => !known.includes(device_id));
  if (fresh.length === 0) return null;
  return (
    <Arrival>
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
    </Arrival>
  );
}

const PENDING_MS = 15_000;

/** Changes of the wallet's keys that no key has authorized and that can still be cancelled. */
export function pendingChangesQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['pending-changes'],
    queryFn: async () => (await client.pendingChanges.list()).filter(({ status }) => status === 'pending'),
    refetchInterval: PENDING_MS,
  });
}

/** On every page of every device, so that the owner sees in time what a stolen one requested. */
export function PendingChangesNote() {
  const { client } = useSession();
  const waiting = useQuery(pendingChangesQuery(client)).data ?? [];
  if (waiting.length === 0) return null;
  return (
    <Arrival>
      <Note kind="warn">
        <strong>{pendingChanges.title}</strong>
        <span>{pendingChanges.short}</span>
        <Link href="/security">{pendingChanges.look}</Link>
      </Note>
    </Arrival>
  );
}

export function devicesQuery(client: WalletClient) {
  return queryOptions({
    queryKey: ['devices'],
    queryFn: async () =>
      (await readAll(client.devices.each({ limit: PAGE }))).filter(({ status }) => status === 'active'),
  });
}

/** The devices that this one has already shown to its owner; null before the first check. */
function knownDevicesQuery() {
  return queryOptions({
    queryKey: ['known-devices'],
    queryFn: async () => (await readKnownDevices()) ?? null,
  });
}
