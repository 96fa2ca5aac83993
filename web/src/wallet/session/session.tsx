import { isApiError, WalletClient } from '@payassent/sdk';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { useLocation } from 'wouter';
import { shell } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import {
  forgetDevice,
  keepDevice,
  keepUnfinished,
  readDevice,
  type StoredDevice,
  setCodeAwaited,
} from '../storage/device-store.ts';
import { tellOtherPages, useOtherPages } from './other-pages.ts';
import { timedFetch } from './server-clock.ts';

export interface Session {
  client: WalletClient;
  device: StoredDevice;
  /** After a rotation: the device with its new token. */
  replace(device: StoredDevice): Promise<void>;
  /** Shown until the customer has proven to have it, over every reload. */
  showRecoveryCode(recoveryCode: string): Promise<void>;
  /** After a 401: whether the device is gone. Another page of this browser may have renewed its token meanwhile. */
  isGone(): Promise<boolean>;
  /** Leaves the wallet on this browser: the credential and the journal are gone. */
  forget(): Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('This part of the page needs an enrolled device.');
  return session;
}

export function useWallet(): WalletClient {
  return useSession().client;
}

export function openClient({ deviceId, token }: Pick<StoredDevice, 'deviceId' | 'token'>): WalletClient {
  return new WalletClient({ baseUrl: location.origin, deviceToken: token, deviceId, fetch: timedFetch });
}

/** The service does not know this token, or has revoked it. */
export function isTokenRefused(error: unknown): boolean {
  return isApiError(error) && error.httpStatus === 401;
}

/** The device as it is stored, and what may change it. After each change this page and the others read it again. */
export function useDeviceSession(device: StoredDevice, reread: () => Promise<void>): Session {
  const [, navigate] = useLocation();
  const { deviceId, token } = device;
  const client = useMemo(() => openClient({ deviceId, token }), [deviceId, token]);
  useOtherPages(reread);
  return useMemo<Session>(
    () => ({
      client,
      device,
      async replace(next) {
        await keepDevice(next);
        tellOtherPages();
        await reread();
      },
      async showRecoveryCode(recoveryCode) {
        await keepUnfinished({ recoveryCode, others: [] });
        await setCodeAwaited(false);
        tellOtherPages();
        await reread();
      },
      async isGone() {
        if ((await readDevice())?.token !== device.token) {
          await reread();
          return false;
        }
        // The refused call may have been sent before the token was renewed: the present one is requested itself.
        return client.devices.list({ limit: 1 }).then(() => false, isTokenRefused);
      },
      async forget() {
        await forgetDevice(device.token);
        tellOtherPages();
        navigate('/');
        await reread();
      },
    }),
    [client, device, reread, navigate],
  );
}

export function DeviceGone() {
  const session = useSession();
  return (
    <Page title={shell.gone.title}>
      <Note kind="warn">{shell.gone.text}</Note>
      <Button kind="main" onClick={() => session.forget()}>
        {shell.gone.action}
      </Button>
    </Page>
  );
}
