import { randomBytes } from 'node:crypto';
import { crc16Xmodem } from '../../../protocol/src/addresses/crc.ts';
import type { Body, Caller, Received } from '../service/client.ts';
import { succeed, type TestSession } from './merchants.ts';

/** The part of a service that these helpers need: an in-process service and a separate process both have it. */
export interface Callable {
  call: Caller;
}

interface MerchantWithDomain {
  session: TestSession;
  domainId: string;
}

export interface TestPayee {
  recipientId: string;
  recipientVersionId: string;
  address: string;
  network: string;
  asset: string;
  /** Of the Recipient, as `version` wants it. */
  version: number;
}

/** A Stellar account that no one holds the key of. */
export function stellarAddress(account: Uint8Array = randomBytes(32)): string {
  const body = Uint8Array.of(6 << 3, ...account);
  const checksum = crc16Xmodem(body);
  const bytes = Buffer.from([...body, checksum & 0xff, checksum >> 8]);
  // 35 bytes are exactly 56 digits of base 32.
  const digits = BigInt(`0x${bytes.toString('hex')}`)
    .toString(32)
    .padStart(56, '0');
  return Array.from(digits, (digit) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(digit, 32)]).join(
    '',
  );
}

/** A Recipient whose first version is verified and active, made through the front door. */
export async function activePayee(
  service: Callable,
  merchant: MerchantWithDomain,
  overrides: Record<string, unknown> = {},
): Promise<TestPayee> {
  return activateFirst(service, merchant, await createPayee(service, merchant, overrides));
}

/** Verifies and activates what `createPayee` has made. */
export async function activateFirst(
  service: Callable,
  merchant: MerchantWithDomain,
  created: Received,
): Promise<TestPayee> {
  const place = placeIn(created.body);
  const { address, network, asset } = created.body.recipient_version;
  const { version } = (await verifyAndActivate(service, merchant, place)).body.recipient;
  return { ...place, address, network, asset, version };
}

/** Moves an active payee to other facts: a new version, verified and activated. */
export async function replacePayee(
  service: Callable,
  merchant: MerchantWithDomain,
  payee: TestPayee,
  facts: Record<string, unknown> = {},
): Promise<TestPayee> {
  const added = await succeed(
    service.call('POST', `/v1/recipients/${payee.recipientId}/versions`, {
      session: merchant.session,
      body: { ...payeeFacts(), ...facts, version: payee.version },
    }),
  );
  const place = placeIn(added.body);
  const { version } = (await verifyAndActivate(service, merchant, place)).body.recipient;
  return { ...payee, ...place, address: added.body.recipient_version.address, version };
}

export function payeeFacts(): { network: string; asset: string; address: string } {
  return { network: 'stellar_testnet', asset: 'XLM', address: stellarAddress() };
}

export async function createPayee(
  service: Callable,
  merchant: { session: TestSession },
  overrides: Record<string, unknown> = {},
): Promise<Received> {
  return succeed(
    service.call('POST', '/v1/recipients', {
      session: merchant.session,
      body: { name: 'Shop', ...payeeFacts(), ...overrides },
    }),
  );
}

interface VersionPlace {
  recipientId: string;
  recipientVersionId: string;
  version: number;
}

export async function verifyPayee(
  service: Callable,
  merchant: MerchantWithDomain,
  place: VersionPlace,
): Promise<Received> {
  return service.call('POST', `/v1/recipients/${place.recipientId}/verify`, {
    session: merchant.session,
    body: {
      recipient_version_id: place.recipientVersionId,
      type: 'domain_proof',
      source_id: merchant.domainId,
      version: place.version,
    },
  });
}

async function verifyAndActivate(
  service: Callable,
  merchant: MerchantWithDomain,
  place: VersionPlace,
): Promise<Received> {
  return succeed(activationOf(service, merchant.session, await activatable(service, merchant, place)));
}

/** A version with its evidence: what an activation needs. */
export interface Activatable {
  path: string;
  body: { evidence_id: string; evidence_digest: string; version: number };
  recipientId: string;
}

async function activatable(
  service: Callable,
  merchant: MerchantWithDomain,
  place: VersionPlace,
): Promise<Activatable> {
  const { recipientId, recipientVersionId, version } = place;
  const { evidence_id, evidence_digest } = (await succeed(verifyPayee(service, merchant, place))).body
    .evidence;
  return {
    path: `/v1/recipients/${recipientId}/versions/${recipientVersionId}/activate`,
    body: { evidence_id, evidence_digest, version },
    recipientId,
  };
}

/** Where a version that was created or added is. */
function placeIn({ recipient, recipient_version }: Body): VersionPlace {
  return {
    recipientId: recipient.recipient_id,
    recipientVersionId: recipient_version.recipient_version_id,
    version: recipient.version,
  };
}

/** A Recipient whose first version is verified and not active yet. */
export async function verifiedVersion(service: Callable, merchant: MerchantWithDomain): Promise<Activatable> {
  return activatable(service, merchant, placeIn((await createPayee(service, merchant)).body));
}

export function activationOf(
  service: Callable,
  session: TestSession,
  { path, body }: Activatable,
): Promise<Received> {
  return service.call('POST', path, { session, body });
}
