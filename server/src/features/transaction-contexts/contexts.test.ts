import { randomUUID } from 'node:crypto';
import { succeed } from '@payassent/proof/people/merchants';
import { activePayee, stellarAddress } from '@payassent/proof/people/payees';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
} from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const append = (body: Record<string, unknown>, bearer = stage.connectionToken) =>
  service.call('POST', '/v1/transaction-contexts', { bearer, body });
const read = (id: string, query: Record<string, string | number> = {}, bearer = stage.connectionToken) =>
  service.call('GET', `/v1/transaction-contexts/${encodeURIComponent(id)}`, { bearer, query });
const issuesOf = (received: Received) =>
  received.body.error.issues.map((issue: { field: string; code: string }) => [issue.field, issue.code]);

describe('revisions', () => {
  it('may come after the request that names it: then none is pinned, and its timestamp shows that it is later', async () => {
    const transaction_id = `later-${randomUUID()}`;
    const record = await pendingRequest(service, stage, { transaction_id });
    expect(record).toMatchObject({ transaction_id, transaction_context: { revision: null } });
    expect((await read(transaction_id)).status).toBe(404);
    service.clock.advance(1_000);
    await append({ transaction_id, title: 'late words' });
    for (const reader of [{ bearer: stage.connectionToken }, { device: deviceOf(stage.device) }]) {
      const context = await service.call('GET', `/v1/transaction-contexts/${transaction_id}`, reader);
      expect(context.body.transaction_context).toMatchObject({ title: 'late words', revision: 1 });
      expect(context.body.transaction_context.created_at > record.created_at).toBe(true);
    }
    const again = await readRequest(service, stage, record.request_id);
    expect(again.body.payment_request.transaction_context).toEqual({ revision: null });
    const next = await pendingRequest(service, stage, { transaction_id });
    expect(next.transaction_context).toEqual({ revision: 1 });
  });

  it('are appended to an id; a read gives the newest, or the one that was pinned', async () => {
    const first = await append({
      title: 'Order',
      line_items: [{ name: 'Tea', price: '3.00' }],
      free: { a: 1 },
    });
    expect(first.status).toBe(201);
    const { transaction_id } = first.body.transaction_context;
    expect(first.body.transaction_context).toMatchObject({ revision: 1, title: 'Order', free: { a: 1 } });
    const second = await append({ transaction_id, summary: 'changed' });
    expect([second.status, second.body.transaction_context.revision]).toEqual([201, 2]);
    expect((await read(transaction_id)).body.transaction_context).toEqual(second.body.transaction_context);
    expect((await read(transaction_id, { revision: 1 })).body.transaction_context).toEqual(
      first.body.transaction_context,
    );
    expect((await read(transaction_id, { revision: 3 })).status).toBe(404);
  });

  it('are pinned by a request that names the id, for good', async () => {
    const transaction_id = 'events';
    await append({ transaction_id, title: 'one' });
    await append({ transaction_id, title: 'two' });
    const record = await pendingRequest(service, stage, { transaction_id });
    expect(record).toMatchObject({ transaction_id, transaction_context: { revision: 2 } });
    await append({ transaction_id, title: 'three' });
    const again = await service.call('GET', `/v1/payment-requests/${record.request_id}`, {
      bearer: stage.connectionToken,
    });
    expect(again.body.payment_request).toEqual(record);
  });

  it('are numbered 1, 2, 3 … however many are appended at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, index) => append({ transaction_id: 'busy', title: `${index}` })),
    );
    const numbers = answers.map((received) => received.body.transaction_context.revision);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_none, i) => i + 1));
  });
});

describe('who may', () => {
  it('each way needs its scope', async () => {
    await append({ transaction_id: 'scoped' });
    const reader = await connect(service, stage.agent, stage.device, ['transaction_contexts.read']);
    const writer = await connect(service, stage.agent, stage.device, ['transaction_contexts.create']);
    expect((await append({}, reader.connectionToken)).body.error.code).toBe('insufficient_scope');
    expect((await append({ transaction_id: 'w' }, writer.connectionToken)).status).toBe(201);
    expect((await read('w', {}, writer.connectionToken)).body.error.code).toBe('insufficient_scope');
    // A namespace per connection: the reader's own has no context of this name.
    expect((await read('scoped', {}, reader.connectionToken)).status).toBe(404);
  });

  it('the wallet of the connection reads too; everyone else gets the same 404', async () => {
    await append({ transaction_id: 'seen', title: 'by the wallet' });
    const path = '/v1/transaction-contexts/seen';
    const mine = await service.call('GET', path, { device: deviceOf(stage.device) });
    expect(mine.body.transaction_context).toMatchObject({
      title: 'by the wallet',
      connection_id: stage.connectionId,
    });
    const stranger = await enrolDevice(service);
    const foreign = await service.call('GET', path, { device: deviceOf(stranger) });
    const absent = await service.call('GET', `${path}-not`, { device: deviceOf(stranger) });
    expect(foreign.status).toBe(404);
    expect(foreign.text.replace(foreign.body.error.request_id, '')).toBe(
      absent.text.replace(absent.body.error.request_id, ''),
    );
    const other = await paymentStage(service);
    expect((await read('seen', {}, other.connectionToken)).status).toBe(404);
    expect((await read('seen', { connection_id: other.connectionId })).status).toBe(404);
  });

  it('a wallet chooses between equal ids with connection_id', async () => {
    const twin = await connect(service, stage.agent, stage.device);
    await append({ transaction_id: 'twin', title: 'a' });
    await append({ transaction_id: 'twin', title: 'b' }, twin.connectionToken);
    const device = deviceOf(stage.device);
    const path = '/v1/transaction-contexts/twin';
    expect((await service.call('GET', path, { device })).body.error.code).toBe('ambiguous_request_id');
    const chosen = await service.call('GET', path, { device, query: { connection_id: twin.connectionId } });
    expect(chosen.body.transaction_context.title).toBe('b');
  });

  it('a paused connection appends nothing but still reads', async () => {
    const own = await connect(service, stage.agent, stage.device);
    await append({ transaction_id: 'p' }, own.connectionToken);
    const body = { status: 'paused' };
    const device = deviceOf(stage.device);
    await succeed(service.call('PATCH', `/v1/connections/${own.connectionId}`, { device, body }));
    const refused = await append({ transaction_id: 'p' }, own.connectionToken);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'connection_paused']);
    expect((await read('p', {}, own.connectionToken)).status).toBe(200);
  });
});

describe('content', () => {
  it('cannot imitate a payment detail or hide anything; all offences are listed together', async () => {
    const received = await append({
      to: 'x',
      network: 'x',
      line_items: [{ memo: 'x', trip: { to: 'fine' } }],
      summary: 'a\u200bb',
      merchant_id: 'mer_x',
      revision: 7,
      title: 5,
    });
    expect(received.status).toBe(400);
    expect(issuesOf(received).toSorted()).toEqual(
      [
        ['title', 'invalid_type'],
        ['merchant_id', 'identity_field_forbidden'],
        ['revision', 'read_only_field'],
        ['to', 'display_override_forbidden'],
        ['network', 'display_override_forbidden'],
        ['line_items[0].memo', 'display_override_forbidden'],
        ['summary', 'risk_control_characters'],
      ].toSorted(),
    );
  });

  it('may show any payee of the organization, but no other address', async () => {
    const second = await activePayee(service, stage.merchant);
    const fine = await append({ summary: `paid at ${stage.payee.address} or ${second.address}` });
    expect(fine.status).toBe(201);
    const received = await append({ notes: [{ text: `or at ${stellarAddress()}` }] });
    expect([received.status, issuesOf(received)]).toEqual([422, [['notes[0].text', 'risk_foreign_address']]]);
  });

  it.each([
    ['near-addresses', Array.from({ length: 200 }, (_, n) => `0x${'aBcDeF'.repeat(6)}${1000 + n}`).join(' ')],
    ['groups of letters', 'AA '.repeat(18_000)],
  ])('hides no address behind more %s than can be checked', async (_what, noise) => {
    const received = await append({ note: noise, summary: `pay ${stellarAddress()}` });
    expect([received.status, issuesOf(received)]).toEqual([422, [['note', 'risk_foreign_address']]]);
  });

  it.each([
    ['a forbidden name', { memo: 'x' }, 400, ['memo', 'display_override_forbidden']],
    ['a wrong type', { title: 5 }, 400, ['title', 'invalid_type']],
    ['hidden characters', { title: 'a\u202eb' }, 422, ['title', 'risk_control_characters']],
  ])('lists a foreign address next to %s', async (_what, wrong, status, issue) => {
    const received = await append({ ...wrong, note: `pay ${stellarAddress()}`, seen: stage.payee.address });
    expect([received.status, issuesOf(received)]).toEqual([
      status,
      [issue, ['note', 'risk_foreign_address']],
    ]);
    expect(received.body.error.code).toBe(status === 400 ? 'validation_failed' : 'risk_rejected');
  });

  it('reveals nothing of its addresses to a caller whose credential fails', async () => {
    const received = await append({ memo: 'x', note: stellarAddress() }, `${stage.connectionToken}x`);
    expect([received.status, received.body.error.issues]).toEqual([401, undefined]);
  });

  it('has an id of 1 to 160 characters', async () => {
    expect((await append({ transaction_id: 'x'.repeat(160) })).status).toBe(201);
    expect(issuesOf(await append({ transaction_id: 'x'.repeat(161) }))).toEqual([
      ['transaction_id', 'too_long'],
    ]);
    expect(issuesOf(await append({ transaction_id: '' }))).toEqual([['transaction_id', 'too_short']]);
    expect(issuesOf(await append({ transaction_id: 'a\tb' }))).toEqual([
      ['transaction_id', 'invalid_format'],
    ]);
  });
});
