import { type CallCredential, checkedToken } from '../core/credential.ts';

/** A device token that its own rotation replaces. */
export interface DeviceCredential extends CallCredential {
  replace(token: string): void;
}

export function deviceCredential(first: string): DeviceCredential {
  let token = checkedToken(first, 'deviceToken');
  return {
    headers: () => ({ authorization: `Bearer ${token}` }),
    replace(next) {
      token = checkedToken(next, 'deviceToken');
    },
  };
}
