import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, createPayee, replacePayee } from '@payassent/proof/people/payees';
import { type PaymentStage, paymentStage } from '@payassent/proof/people/payments';
import { connect } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

function get(path: string, bearer = stage.connectionToken) {
  return service.call('GET', path, { bearer });
}

describe('the payees of a connected agent', () => {
  it('are everything a create needs to know, taken from the active version', async () => {
    const received = await get('/v1/payees');
    expect(received.status).toBe(200);
    expect(received.body).toMatchObject({
      payees: [
        {
          recipient_id: stage.payee.recipientId,
          recipient_version_id: stage.payee.recipientVersionId,
          name: 'Shop',
          domain: stage.merchant.domain,
          verified: true,
          binding: 'domain',
          payment: {
            rail: 'stellar_xlm',
            network: 'stellar_testnet',
            asset: 'XLM',
            to: stage.payee.address,
            decimals: 7,
          },
        },
      ],
      next_cursor: null,
    });
    const [payee] = received.body.payees;
    expect(payee.payment).not.toHaveProperty('memo');
    expect((await get(`/v1/payees/${payee.recipient_id}`)).body.payee).toEqual(payee);
  });

  it('follow an activation immediately, and leave out drafts and archived ones', async () => {
    const own = await paymentStage(service);
    await createPayee(service, own.merchant, { name: 'Draft' });
    const archived = await activePayee(service, own.merchant, { name: 'Archived' });
    await service.call('PATCH', `/v1/recipients/${archived.recipientId}`, {
      session: own.merchant.session,
      body: { status: 'archived', version: archived.version },
    });
    const moved = await replacePayee(service, own.merchant, own.payee, { memo: 'SHOP-7' });
    const { payees } = (await get('/v1/payees', own.connectionToken)).body;
    expect(payees).toMatchObject([
      {
        recipient_version_id: moved.recipientVersionId,
        payment: { to: moved.address, memo: 'SHOP-7' },
      },
    ]);
    expect((await get(`/v1/payees/${archived.recipientId}`, own.connectionToken)).status).toBe(404);
  });

  it('of another merchant are absent, byte for byte', async () => {
    const other = await paymentStage(service);
    const foreign = await get(`/v1/payees/${other.payee.recipientId}`);
    const absent = await get('/v1/payees/rcp_00000000000000000000000000');
    const withoutId = (text: string) => text.replace(/"request_id":"[^"]+"/, '');
    expect(foreign.status).toBe(404);
    expect(withoutId(foreign.text)).toBe(withoutId(absent.text));
    const { payees } = (await get('/v1/payees')).body;
    expect(payees.map((payee: { domain: string }) => payee.domain)).toEqual([stage.merchant.domain]);
  });

  it('need the scope that requests payments', async () => {
    const reader = await connect(service, stage.agent, stage.device, ['payment.requests.read']);
    expect((await get('/v1/payees', reader.connectionToken)).body.error.code).toBe('insufficient_scope');
  });
});

describe('the list', () => {
  it('is by name, in pages that neither repeat nor miss one, and finds by part of name or domain', async () => {
    const merchant = await verifiedMerchant(service);
    const own = await paymentStage(service, { merchant });
    for (const name of ['Zebra', 'apple', 'Apple', 'Ärger', 'apple'])
      await activePayee(service, merchant, { name });
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await get(`/v1/payees?limit=2${query}`, own.connectionToken);
      names.push(...body.payees.map((payee: { name: string }) => payee.name));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(names).toEqual(['Apple', 'Shop', 'Zebra', 'apple', 'apple', 'Ärger']);

    const found = async (query: string) =>
      (await get(`/v1/payees?${query}`, own.connectionToken)).body.payees.map(
        (payee: { name: string }) => payee.name,
      );
    expect(await found('q=PPL')).toEqual(['Apple', 'apple', 'apple']);
    expect(await found(`q=${merchant.domain.slice(2, 9).toUpperCase()}`)).toHaveLength(6);
    expect(await found('q=%25')).toEqual([]);
    expect(await found('network=stellar_testnet&asset=XLM')).toHaveLength(6);
    expect(await found('asset=USDC')).toEqual([]);
    expect(await found('network=bitcoin_mainnet')).toEqual([]);
  });

  it.each([
    'x',
    'AAAA',
    Buffer.from('["a",1]').toString('base64url'),
    Buffer.from('["\\u0000","b"]').toString('base64url'),
  ])('refuses the forged cursor %s', async (cursor) => {
    expect((await get(`/v1/payees?cursor=${cursor}`)).body.error.code).toBe('invalid_cursor');
  });
});

describe('the networks', () => {
  it('are published to everybody, with what payments on them can carry', async () => {
    const received = await service.call('GET', '/v1/networks', {});
    expect(received.status).toBe(200);
    const byName = new Map(
      received.body.networks.map((row: { network: string }) => [row.network, row] as const),
    );
    expect(byName.size).toBe(31);
    expect(byName.get('stellar_testnet')).toEqual({
      network: 'stellar_testnet',
      caip2: 'stellar:testnet',
      rails: ['stellar_xlm'],
      native_asset: 'XLM',
      decimals: 7,
      address_form: 'StrKey G…, muxed M…',
      memo: { kind: 'text', max_bytes: 28 },
      max_amount: '922337203685.4775807',
      explorer: 'https://stellar.expert/explorer/testnet/tx/{tx_hash}',
      is_testnet: true,
      enabled: true,
    });
    expect(byName.get('base_mainnet')).toMatchObject({ native_asset: null, memo: null });
    expect(byName.get('xrpl_mainnet')).toMatchObject({ memo: { kind: 'number', max_bytes: 4 } });
  });
});
