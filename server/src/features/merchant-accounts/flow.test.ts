import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifiedMerchant } from '../../../test/harness/merchants.ts';
import { startService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the whole way', () => {
  it('leads from an email address to an active organization', async () => {
    const merchant = await verifiedMerchant(service, { name: 'Käse & Söhne' });
    const { body } = await service.call('GET', '/v1/merchants/current', { session: merchant.session });
    expect(body.merchant).toMatchObject({ name: 'Käse & Söhne', status: 'active', version: 2 });
  });
});
