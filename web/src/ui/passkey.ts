import type { PasskeyAssertion, PasskeyRegistration } from '@payassent/sdk';

/** Passkeys need a domain name: on a bare IP address the browser refuses every one. */
export function hasPasskeys(): boolean {
  const isName =
    location.hostname === 'localhost' || /[a-z]/i.test(location.hostname.replace(/^\[.*\]$/, ''));
  return isName && typeof PublicKeyCredential === 'function';
}

/** The same page under the name that passkeys of a local service belong to. */
export function namedAddress(path: string): string {
  return `${location.protocol}//localhost${location.port === '' ? '' : `:${location.port}`}${path}`;
}

/** Thrown where a person cancelled the browser's prompt, or the device has no matching passkey. */
export class NoPasskeyError extends Error {}

type MadePasskey = PasskeyRegistration & { response: { authenticatorData: string } };

export async function makePasskey(options: Record<string, unknown>): Promise<MadePasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
  return answered(navigator.credentials.create({ publicKey })) as Promise<MadePasskey>;
}

export async function askForPasskey(options: Record<string, unknown>): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  return answered(navigator.credentials.get({ publicKey })) as Promise<PasskeyAssertion>;
}

async function answered(pending: Promise<Credential | null>): Promise<unknown> {
  const credential = await pending.catch((cause: unknown) => {
    throw new NoPasskeyError('no passkey', { cause });
  });
  if (!(credential instanceof PublicKeyCredential)) throw new NoPasskeyError('no passkey');
  return credential.toJSON();
}
