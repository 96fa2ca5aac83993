import { isApiError, WalletClient } from '@payassent/sdk';
import { createContext, type ReactNode, use } from 'react';
import type { StoredDevice } from '../storage/device-store.ts';

export interface Session {
  client: WalletClient;
  device: StoredDevice;
  /** After a rotation: the device with its new token. */
  replace(device: StoredDevice): Promise<void>;
  /** Shown until the person has proved to have it, over every reload. */
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
  return new WalletClient({ baseUrl: location.origin, deviceToken: token, deviceId });
}

/** The service does not know this token, or knows it no more. */
export function isTokenRefused(error: unknown): boolean {
  return isApiError(error) && error.httpStatus === 401;
}
