import { randomBytes } from 'node:crypto';
import { crc16Xmodem } from '../../../protocol/src/addresses/crc.ts';
import type { Caller, Received } from '../service/client.ts';
import { succeed, type TestSession } from './merchants.ts';

/** What these helpers need of a service: an in-process one and a process of its own both have it. */
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

/** A Stellar account that nobody holds the key of. */
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
  const { recipient, recipient_version } = created.body;
  const activated = await verifyAndActivate(service, merchant, {
    recipientId: recipient.recipient_id,
    recipientVersionId: recipient_version.recipient_version_id,
    version: recipient.version,
  });
  return {
    recipientId: recipient.recipient_id,
    recipientVersionId: recipient_version.recipient_version_id,
    address: recipient_version.address,
    network: recipient_version.network,
    asset: recipient_version.asset,
    version: activated.body.recipient.version,
  };
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
  const { recipient, recipient_version } = added.body;
  const activated = await verifyAndActivate(service, merchant, {
    recipientId: payee.recipientId,
    recipientVersionId: recipient_version.recipient_version_id,
    version: recipient.version,
  });
  return {
    ...payee,
    recipientVersionId: recipient_version.recipient_version_id,
    address: recipient_version.address,
    version: activated.body.recipient.version,
  };
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
  const { evidence } = (await succeed(verifyPayee(service, merchant, place))).body;
  const path = `/v1/recipients/${place.recipientId}/versions/${place.recipientVersionId}/activate`;
  return succeed(
    service.call('POST', path, {
      session: merchant.session,
      body: {
        evidence_id: evidence.evidence_id,
        evidence_digest: evidence.evidence_digest,
        version: place.version,
      },
    }),
  );
}

/** A version with its evidence: what an activation needs. */
export interface Activatable {
  path: string;
  body: { evidence_id: string; evidence_digest: string; version: number };
  recipientId: string;
}

/** A Recipient whose first version is verified and not active yet. */
export async function verifiedVersion(service: Callable, merchant: MerchantWithDomain): Promise<Activatable> {
  const { recipient, recipient_version } = (await createPayee(service, merchant)).body;
  const place = {
    recipientId: recipient.recipient_id,
    recipientVersionId: recipient_version.recipient_version_id,
    version: recipient.version,
  };
  const { evidence } = (await succeed(verifyPayee(service, merchant, place))).body;
  return {
    path: `/v1/recipients/${place.recipientId}/versions/${place.recipientVersionId}/activate`,
    body: {
      evidence_id: evidence.evidence_id,
      evidence_digest: evidence.evidence_digest,
      version: place.version,
    },
    recipientId: place.recipientId,
  };
}

export function activationOf(
  service: Callable,
  session: TestSession,
  { path, body }: Activatable,
): Promise<Received> {
  return service.call('POST', path, { session, body });
}
