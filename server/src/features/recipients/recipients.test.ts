import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  activePayee,
  createPayee,
  payeeFacts,
  stellarAddress,
  verifyPayee,
} from '@payassent/proof/people/payees';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activatePath, makeVerifiedPayee, proofOf } from '../../../test/payee-steps.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown): Promise<Received> =>
  service.call(method, path, { session: merchant.session, ...(body === undefined ? {} : { body }) });

const verifiedPayee = (overrides: Record<string, unknown> = {}) =>
  makeVerifiedPayee(service, merchant, overrides);

describe('creating a Recipient', () => {
  it('derives the rail and completes the details', async () => {
    const facts = payeeFacts();
    const received = await call('POST', '/v1/recipients', { name: 'Shop', ...facts, memo: 'INV-7' });
    expect(received.status).toBe(201);
    expect(received.body.recipient).toMatchObject({
      name: 'Shop',
      status: 'draft',
      active_version_id: null,
      version: 1,
    });
    expect(received.body.recipient_version).toMatchObject({
      recipient_id: received.body.recipient.recipient_id,
      number: 1,
      status: 'created',
      name: 'Shop',
      rail: 'stellar_xlm',
      ...facts,
      memo: 'INV-7',
      contract: null,
      issuer: null,
      decimals: 7,
      chain_id: null,
      verified_at: null,
      activated_at: null,
    });
  });

  it('accepts networks that are not enabled', async () => {
    const received = await call('POST', '/v1/recipients', {
      name: 'Shop',
      network: 'base_mainnet',
      asset: 'USDC',
      address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    });
    expect(received.status).toBe(201);
    expect(received.body.recipient_version).toMatchObject({
      rail: 'base_usdc',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      decimals: 6,
      chain_id: 8453,
    });
  });

  it('lists every problem together: schema, details and risk', async () => {
    const received = await call('POST', '/v1/recipients', {
      name: 'Sh\u202eop',
      network: 'stellar_testnet',
      asset: 'XLM',
      address: `${stellarAddress().slice(0, -1)}?`,
      memo: 'longer than twenty-eight bytes',
      chain_id: 'one',
      colour: 'red',
      merchant_id: merchant.merchantId,
    });
    expect(received.status).toBe(400);
    const found = received.body.error.issues.map((issue: { field: string; code: string }) => [
      issue.field,
      issue.code,
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['name', 'risk_control_characters'],
        ['address', 'address_invalid'],
        ['memo', 'too_long'],
        ['chain_id', 'invalid_type'],
        ['colour', 'unknown_field'],
        ['merchant_id', 'identity_field_forbidden'],
      ]),
    );
    expect(found).toHaveLength(6);
  });

  it('reports nothing about details that it could not read', async () => {
    const token = { name: 'Shop', network: 'ethereum_mainnet', asset: 'TKN', decimals: 'six' };
    const received = await call('POST', '/v1/recipients', { ...token, address: 5, contract: '0x12' });
    const fields = received.body.error.issues.map((issue: { field: string }) => issue.field);
    expect(fields.toSorted()).toEqual(['address', 'decimals']);
    const nothing = await call('POST', '/v1/recipients', {});
    expect(nothing.body.error.issues).toHaveLength(4);
    expect(new Set(nothing.body.error.issues.map((issue: { code: string }) => issue.code))).toEqual(
      new Set(['required']),
    );
  });

  it.each([
    ['an invisible character in the name', { name: 'Sh\u200bop' }, 'name', 'risk_control_characters'],
    ['a foreign address in the name', { name: `Pay ${stellarAddress()}` }, 'name', 'risk_foreign_address'],
    ['a direction override in the memo', { memo: 'A\u202eB' }, 'memo', 'risk_control_characters'],
    [
      'an address for the symbol of a token',
      {
        network: 'ethereum_mainnet',
        asset: 'bc1pfeessrawgf',
        decimals: 6,
        address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      },
      'asset',
      'risk_foreign_address',
    ],
  ])('%s alone is 422', async (_, members, field, code) => {
    const received = await call('POST', '/v1/recipients', { name: 'Shop', ...payeeFacts(), ...members });
    expect(received.status).toBe(422);
    expect(received.body.error).toMatchObject({ code: 'risk_rejected', issues: [{ field, code }] });
  });

  it('the own address may be in the name', async () => {
    const facts = payeeFacts();
    const received = await call('POST', '/v1/recipients', { name: `Shop ${facts.address}`, ...facts });
    expect(received.status).toBe(201);
  });

  it.each([
    ['blank', '  ', 'invalid_format'],
    ['empty', '', 'too_short'],
    ['201 characters', 'x'.repeat(201), 'too_long'],
  ])('a %s name is refused', async (_, name, code) => {
    const received = await call('POST', '/v1/recipients', { name, ...payeeFacts() });
    expect(received.body.error.issues).toMatchObject([{ field: 'name', code }]);
  });
});

describe('label and archive', () => {
  it('a new label leaves the names inside versions alone, and goes into the next one', async () => {
    const payee = await activePayee(service, merchant);
    const path = `/v1/recipients/${payee.recipientId}`;
    const renamed = await call('PATCH', path, { name: 'Other', version: payee.version });
    expect(renamed.body.recipient).toMatchObject({ name: 'Other', version: payee.version + 1 });
    const added = await call('POST', `${path}/versions`, { ...payeeFacts(), version: payee.version + 1 });
    expect(added.body.recipient_version.name).toBe('Other');
    const { recipient_versions } = (await call('GET', path)).body;
    expect(recipient_versions.map((version: { name: string }) => version.name)).toEqual(['Other', 'Shop']);
  });

  it('a label with the old address does not go into a version with another one', async () => {
    const facts = payeeFacts();
    const created = (await createPayee(service, merchant, { ...facts, name: `Shop ${facts.address}` })).body;
    const path = `/v1/recipients/${created.recipient.recipient_id}`;
    const added = await call('POST', `${path}/versions`, { ...payeeFacts(), version: 1 });
    expect(added.status).toBe(422);
    expect(added.body.error.issues).toMatchObject([{ field: 'name', code: 'risk_foreign_address' }]);
    const renamed = await call('PATCH', path, { name: `To ${stellarAddress()}`, version: 1 });
    expect(renamed.status).toBe(422);
  });

  it('what a label shows is judged before anything is read, with every other error', async () => {
    const absent = '/v1/recipients/rcp_00000000000000000000000000';
    const risky = await call('PATCH', absent, { name: 'A\u202eB', version: 1 });
    expect([risky.status, risky.body.error.code]).toEqual([422, 'risk_rejected']);
    const both = await call('PATCH', absent, { name: 'A\u202eB', version: '1' });
    expect(both.body.error).toMatchObject({
      code: 'validation_failed',
      issues: [
        { field: 'version', code: 'invalid_type' },
        { field: 'name', code: 'risk_control_characters' },
      ],
    });
    const created = (await createPayee(service, merchant, payeeFacts())).body;
    const all = await call('PATCH', `/v1/recipients/${created.recipient.recipient_id}`, {
      name: `A\u202eB ${stellarAddress()}`,
      version: 9,
    });
    expect(all.body.error).toMatchObject({
      code: 'risk_rejected',
      issues: [{ code: 'risk_control_characters' }, { code: 'risk_foreign_address' }],
    });
    const foreign = await call('PATCH', absent, { name: `A ${stellarAddress()}`, version: 1 });
    expect(foreign.status).toBe(404);
  });

  it('archived is final', async () => {
    const payee = await verifiedPayee();
    const path = `/v1/recipients/${payee.recipientId}`;
    const archived = await call('PATCH', path, { status: 'archived', version: 1 });
    expect(archived.body.recipient).toMatchObject({ status: 'archived', version: 2 });
    const after = [
      await call('PATCH', path, { name: 'Back', version: 2 }),
      await call('PATCH', path, { status: 'archived', version: 2 }),
      await call('POST', `${path}/versions`, { ...payeeFacts(), version: 2 }),
      await verifyPayee(service, merchant, { ...payee, version: 2 }),
      await call('POST', activatePath(payee), { ...proofOf(payee), version: 2 }),
    ];
    expect(after.map((received) => received.body.error.code)).toEqual(Array(5).fill('recipient_not_active'));
    const events = await call(
      'GET',
      `/v1/audit-events?target_id=${payee.recipientId}&type=recipient.archived`,
    );
    expect(events.body.audit_events).toHaveLength(1);
  });

  it.each([
    ['another status', { status: 'active', version: 1 }, 'status', 'invalid_enum'],
    ['no version', { name: 'X' }, 'version', 'required'],
    ['nothing to change', { version: 1 }, 'body', 'required'],
  ])('%s is refused', async (_, body, field, code) => {
    const { recipient } = (await createPayee(service, merchant)).body;
    const received = await call('PATCH', `/v1/recipients/${recipient.recipient_id}`, body);
    expect(received.status).toBe(400);
    expect(received.body.error.issues).toMatchObject([{ field, code }]);
  });
});

describe('lists', () => {
  it('newest first, in pages', async () => {
    const own = await verifiedMerchant(service);
    const names = ['one', 'two', 'three'];
    for (const name of names) await createPayee(service, own, { name });
    const list = (query: Record<string, string | number>) =>
      service.call('GET', '/v1/recipients', { session: own.session, query });
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.body.next_cursor });
    const shown = [...first.body.recipients, ...second.body.recipients];
    expect(shown.map((recipient: { name: string }) => recipient.name)).toEqual(names.toReversed());
    expect(second.body.next_cursor).toBeNull();
    expect((await list({ cursor: 'nonsense' })).body.error.code).toBe('invalid_cursor');
    expect((await list({ limit: 0 })).body.error.issues).toMatchObject([
      { field: 'limit', code: 'out_of_range' },
    ]);
  });
});
