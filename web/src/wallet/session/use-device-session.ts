import { useMemo } from 'react';
import { useLocation } from 'wouter';
import {
  forgetDevice,
  keepDevice,
  keepUnfinished,
  readDevice,
  type StoredDevice,
  setCodeAwaited,
} from '../storage/device-store.ts';
import { tellOtherPages, useOtherPages } from './other-pages.ts';
import { isTokenRefused, openClient, type Session } from './session.tsx';

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
        // The refused call may have been sent before the token was renewed: the present one is asked for itself.
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
