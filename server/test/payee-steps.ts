// Steps with payees that several tests of recipients and domains take; tests import it.

import { succeed, type TestMerchant } from '@payassent/proof/people/merchants';
import { createPayee, type TestPayee, verifyPayee } from '@payassent/proof/people/payees';
import type { Body } from '@payassent/proof/service/client';
import type { TestService } from '@payassent/proof/service/service';

type Place = Pick<TestPayee, 'recipientId' | 'recipientVersionId'>;

export async function makeVerifiedPayee(
  service: TestService,
  merchant: TestMerchant,
  overrides: Record<string, unknown> = {},
) {
  const created = (await createPayee(service, merchant, overrides)).body;
  const place = {
    recipientId: created.recipient.recipient_id as string,
    recipientVersionId: created.recipient_version.recipient_version_id as string,
    version: created.recipient.version as number,
  };
  const verified = (await verifyPayee(service, merchant, place)).body;
  return { ...place, ...verified };
}

export const activatePath = (place: Place) =>
  `/v1/recipients/${place.recipientId}/versions/${place.recipientVersionId}/activate`;

export const proofOf = (place: {
  evidence: { evidence_id: string; evidence_digest: string };
  version: number;
}) => ({
  evidence_id: place.evidence.evidence_id,
  evidence_digest: place.evidence.evidence_digest,
  version: place.version,
});

export const readRecipient = async (
  service: TestService,
  { session }: TestMerchant,
  { recipientId }: TestPayee,
): Promise<Body> => (await succeed(service.call('GET', `/v1/recipients/${recipientId}`, { session }))).body;

export const activate = (
  service: TestService,
  { session }: TestMerchant,
  payee: TestPayee,
  evidence: { evidence_id: string; evidence_digest: string },
) =>
  service.call('POST', activatePath(payee), {
    session,
    body: proofOf({ evidence, version: payee.version }),
  });
