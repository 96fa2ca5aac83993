import type { Received } from './client.ts';
import { type MerchantSurroundings, signUp, succeed, type TestMerchant } from './merchants.ts';

/** The owner releases its own domain. */
export function deleteDomain(
  service: Pick<MerchantSurroundings, 'call'>,
  merchant: Pick<TestMerchant, 'session' | 'domainId'>,
): Promise<Received> {
  return succeed(
    service.call('DELETE', `/v1/merchant-domains/${merchant.domainId}`, { session: merchant.session }),
  );
}

/** Another organization puts its own challenge in place of the owner's and proves the domain. */
export async function takeDomain(service: MerchantSurroundings, from: TestMerchant): Promise<TestMerchant> {
  const winner = await signUp(service);
  const { session } = winner;
  const registered = await succeed(
    service.call('POST', '/v1/merchant-domains', { session, body: { domain: from.domain } }),
  );
  const { dns } = registered.body.challenge;
  const domainId: string = registered.body.domain.domain_id;
  service.dns.set(dns.name, 'TXT', [dns.value]);
  await succeed(service.call('POST', `/v1/merchant-domains/${domainId}/verify`, { session }));
  return { ...winner, domain: from.domain, domainId, challenge: dns.value };
}
