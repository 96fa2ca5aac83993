import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Act } from '../../act.ts';
import type { Database } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { insertChallenge, type PasskeyRow, type Purpose } from './sql.ts';

/** Loaded with the first passkey: it would be a sixth of the startup time. */
const loadLibrary = () => import('@simplewebauthn/server');

/** The service's identity for passkeys. */
interface RelyingParty {
  id: string;
  /** The origins of its pages. */
  origins: string[];
}

/** A passkey belongs to a name. On loopback that is `localhost`: browsers have no passkeys for a bare address. */
export function relyingParty(config: { baseUrl: string; baseUrlIsLoopback: boolean }): RelyingParty {
  const url = new URL(config.baseUrl);
  if (!config.baseUrlIsLoopback) return { id: url.hostname, origins: [url.origin] };
  const port = url.port === '' ? '' : `:${url.port}`;
  return { id: 'localhost', origins: [`http://localhost${port}`] };
}

const CHALLENGE_LIFE_MS = 5 * MINUTE_MS;
const CHALLENGE_BYTES = 32;

interface Asked {
  purpose: Purpose;
  /** The session of the caller; null before there is one. */
  sessionId: string | null;
}

async function newChallenge(db: Database, act: Act, asked: Asked) {
  const challenge = Buffer.from(act.randomBytes(CHALLENGE_BYTES));
  await insertChallenge(db, {
    challenge_hash: hashSecret(challenge.toString('base64url')),
    purpose: asked.purpose,
    session_id: asked.sessionId,
    expires_at: addMs(act.now, CHALLENGE_LIFE_MS),
  });
  return new Uint8Array(challenge);
}

export async function registrationOptions(
  db: Database,
  act: Act,
  party: RelyingParty,
  person: { sessionId: string; accountId: string; email: string; known: readonly PasskeyRow[] },
) {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: 'PayAssent',
    userName: person.email,
    userID: new Uint8Array(Buffer.from(person.accountId)),
    challenge: await newChallenge(db, act, { purpose: 'registration', sessionId: person.sessionId }),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    excludeCredentials: person.known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export async function assertionOptions(
  db: Database,
  act: Act,
  party: RelyingParty,
  asked: Asked,
  known: readonly PasskeyRow[],
) {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: await newChallenge(db, act, asked),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: 'required',
    // Before the sign-in no account is named: the same options for every caller.
    ...(known.length > 0
      ? { allowCredentials: known.map(({ credential_id }) => ({ id: credential_id })) }
      : {}),
  });
}

export interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  backedUp: boolean;
}

export async function checkRegistration(
  db: Database,
  act: Act,
  party: RelyingParty,
  asked: Asked,
  sent: unknown,
): Promise<NewPasskey> {
  const response = sent as RegistrationResponseJSON;
  const expectedChallenge = await takeChallenge(db, act, asked, response.response.clientDataJSON);
  const { verifyRegistrationResponse } = await loadLibrary();
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(refused);
  if (!checked.verified) throw passkeyInvalid('signature_invalid');
  const { credential, credentialBackedUp } = checked.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])].map(String).slice(0, 8),
    backedUp: credentialBackedUp,
  };
}

export async function checkAssertion(
  db: Database,
  act: Act,
  party: RelyingParty,
  asked: Asked,
  sent: unknown,
  find: (credentialId: string) => Promise<PasskeyRow | undefined>,
): Promise<{ passkey: PasskeyRow; counter: number; backedUp: boolean }> {
  const response = sent as AuthenticationResponseJSON;
  const expectedChallenge = await takeChallenge(db, act, asked, response.response.clientDataJSON);
  const passkey = await find(response.id);
  if (!passkey) throw passkeyInvalid('passkey_unknown');
  const { userHandle } = response.response;
  if (userHandle && Buffer.from(String(userHandle), 'base64url').toString() !== passkey.account_id)
    throw passkeyInvalid('passkey_unknown');
  const { verifyAuthenticationResponse } = await loadLibrary();
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(refused);
  if (!checked.verified) throw passkeyInvalid('signature_invalid');
  const { newCounter, credentialBackedUp } = checked.authenticationInfo;
  return { passkey, counter: newCounter, backedUp: credentialBackedUp };
}

/** Spends the challenge that the response names, even when the rest of the response is wrong. */
async function takeChallenge(db: Database, act: Act, asked: Asked, clientData: string): Promise<string> {
  const { challenge, crossOrigin } = readClientData(clientData);
  if (typeof challenge !== 'string') throw passkeyInvalid('malformed');
  // Once, whatever the outcome. Returns nothing for one that is used, unknown or of another session.
  const [found] = await db<{ expires_at: Date }[]>`
    update passkey_challenges set used_at = ${act.now}
    where challenge_hash = ${hashSecret(challenge)} and used_at is null and purpose = ${asked.purpose}
      and session_id is not distinct from ${asked.sessionId}
    returning expires_at`;
  if (!found) throw passkeyInvalid('challenge_used_or_unknown');
  if (act.now > found.expires_at) throw passkeyInvalid('challenge_expired');
  // Our pages are never framed, neither by us nor by another site.
  if (crossOrigin === true) throw passkeyInvalid('origin');
  return challenge;
}

function readClientData(clientData: string): { challenge?: unknown; crossOrigin?: unknown } {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString());
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** The library describes the problem in prose; a program may rely on the code alone. */
function refused(error: unknown): never {
  const text = error instanceof Error ? error.message : '';
  if (/origin/i.test(text)) throw passkeyInvalid('origin');
  if (/counter/i.test(text)) throw passkeyInvalid('counter');
  if (/user.*(verif|present)/i.test(text)) throw passkeyInvalid('person_not_verified');
  throw passkeyInvalid('malformed');
}

/** Reasons a person can act on; the others are the caller's own mistake. */
const REASONS: Readonly<Record<string, string>> = {
  signature_invalid: 'its signature does not verify. Request new options and try again',
  passkey_unknown: 'it is not registered for this account. Use another one, or sign in by mail',
  passkey_known_already: 'it is registered already. Use another authenticator',
  challenge_used_or_unknown: 'its challenge was used or never issued. Request new options',
  challenge_expired: 'its challenge has expired. Request new options',
  origin: 'it was used on a page of another origin. Use the page of this service',
  counter: 'its counter went back, so it may have been copied. Remove it',
  person_not_verified: 'the authenticator did not verify the person. Use its PIN or biometrics',
  malformed: 'its response is malformed. Send what the browser returned, unchanged',
  not_effective_yet: 'it is not effective yet. A first passkey takes 24 hours',
};

export function passkeyInvalid(reason: string): AppError {
  const why = REASONS[reason];
  const message = why === undefined ? {} : { message: `The passkey was not accepted: ${why}.` };
  return new AppError('passkey_invalid', { ...message, details: { reason } });
}
