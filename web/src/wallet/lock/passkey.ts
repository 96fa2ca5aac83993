import { encodeBase64Url } from '@payassent/protocol';
import { lock as texts } from '../../texts/wallet/lock.ts';
import { askForPasskey } from '../../ui/passkey.ts';
import { type HeldKey, registerPasskey } from '../decisions/held-key.ts';

/** Comes back only when the browser has verified the person; throws `NoPasskeyError` otherwise. */
export function askLockPasskey(credentialId: string): Promise<unknown> {
  return askForPasskey({
    challenge: encodeBase64Url(crypto.getRandomValues(new Uint8Array(32))),
    rpId: location.hostname,
    allowCredentials: [{ type: 'public-key', id: credentialId }],
    userVerification: 'required',
  });
}

/** The one that signs decisions, tried once; or one of its own, beside which a decision key can still be made. */
export async function choosePasskey(
  held: HeldKey | undefined,
  device: { deviceId: string; name: string },
): Promise<string> {
  if (held?.key.alg !== 'webauthn')
    return (await registerPasskey(`lock:${device.deviceId}`, texts.passkey.name(device.name))).id;
  await askLockPasskey(held.key.credential_id);
  return held.key.credential_id;
}
