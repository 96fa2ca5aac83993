import { setTimeout as pause } from 'node:timers/promises';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  postRequest,
  readRequest,
} from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transaction } from '../../db/open.ts';
import { endConnectionsOfWallet } from '../../features/connections/revocation-sql.ts';

/**
 * The rights of a token are cached under a version of its merchant's permissions. Here another process takes each right
 * away: with a plain statement, without any notification.
 */

let service: TestService;
let stage: PaymentStage;
let requestId: string;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  requestId = (await pendingRequest(service, stage)).request_id;
});
afterAll(() => service.close());

/** Of the agent's read, poll and create. */
async function responses(): Promise<string[]> {
  const received = [
    await readRequest(service, stage, requestId),
    await pollRequests(service, stage),
    await postRequest(service, stage),
  ];
  return received.map(({ body, status }) => body.error?.code ?? `${status}`);
}

const ALLOWED = ['200', '200', '201'];
const all = (code: string) => [code, code, code];
const versionNow = async () => {
  const [row] = await service.db<{ version: string }[]>`
    select version from merchant_standings where merchant_id = ${stage.merchant.merchantId}`;
  return row?.version;
};

/** Table, change, how to undo it, and the agent's result in between. */
const RIGHTS: [table: string, change: string, undo: string, told: string][] = [
  ['connection_tokens', 'ended_at = now(), seed = null', 'ended_at = null', 'token_rotated'],
  ['connections', "status = 'revoked'", "status = 'active'", 'token_revoked'],
  ['connections', "scopes = '{}'", 'scopes = SCOPES', 'insufficient_scope'],
  ['agents', "status = 'suspended'", "status = 'active'", 'agent_not_active'],
  [
    'agents',
    'suspended_by_installation_at = now()',
    'suspended_by_installation_at = null',
    'agent_not_active',
  ],
  ['agents', 'merchant_suspended_at = now()', 'merchant_suspended_at = null', 'merchant_not_active'],
  ['agents', "allowed_scopes = '{}'", 'allowed_scopes = SCOPES', 'insufficient_scope'],
  ['agents', 'require_proof = true', 'require_proof = false', 'proof_required'],
  ['agent_credentials', "status = 'revoked'", "status = 'active'", 'agent_not_active'],
  ['agent_credentials', 'expires_at = created_at', 'expires_at = null', 'agent_not_active'],
  ['agent_credentials', "not_before = 'infinity'", 'not_before = null', 'agent_not_active'],
];
const SCOPES = "'{payment.requests.create,payment.requests.read}'";

describe('a remembered caller', () => {
  beforeEach(async () => {
    expect(await responses()).toEqual(ALLOWED);
    expect(await responses()).toEqual(ALLOWED);
  });

  it.each(RIGHTS)('%s: is refused immediately after %s', async (table, change, undo, told) => {
    const where = `where ${table === 'connection_tokens' || table === 'connections' ? `connection_id = '${stage.connectionId}'` : `agent_id = '${stage.agent.agentId}'`}`;
    await service.db.unsafe(`update ${table} set ${change} ${where}`);
    try {
      expect(await responses()).toEqual(all(told));
    } finally {
      await service.db.unsafe(`update ${table} set ${undo.replace('SCOPES', SCOPES)} ${where}`);
    }
    expect(await responses()).toEqual(ALLOWED);
  });

  it('is served under its version while nothing changes, also after a right was added or its removal rolled back', async () => {
    const before = await versionNow();
    await service.db`update agents set name = name || '.' where agent_id = ${stage.agent.agentId}`;
    const failed = service.db.begin(async (tx) => {
      await tx`update connections set status = 'revoked' where connection_id = ${stage.connectionId}`;
      throw new Error('given up');
    });
    await expect(failed).rejects.toThrow('given up');
    expect(await responses()).toEqual(ALLOWED);
    expect(await versionNow()).toBe(before);
  });

  it('is refused when its credential ends with time, although no version changes', async () => {
    const { agentId } = stage.agent;
    const soon = new Date(service.clock.now().getTime() + 60_000);
    await service.db`update agent_credentials set expires_at = ${soon} where agent_id = ${agentId}`;
    expect(await responses()).toEqual(ALLOWED);
    const before = await versionNow();
    service.clock.advance(60_001);
    expect(await responses()).toEqual(all('agent_not_active'));
    expect(await versionNow()).toBe(before);
    await service.db`update agent_credentials set expires_at = null where agent_id = ${agentId}`;
  });

  it('is refused within one read after those that wait, although no announcement comes', async () => {
    const { agentId } = stage.agent;
    const bearer = stage.connectionToken;
    const { next_cursor: since } = (await succeed(pollRequests(service, stage))).body;
    const waits = [
      service.call('GET', '/v1/payment-requests/events', { bearer, query: { since, wait: 20 } }),
      service.call('GET', `/v1/payment-requests/${requestId}`, {
        bearer,
        query: { state_version: 9, wait: 20 },
      }),
    ];
    await pause(500);
    await service.db`update agents set status = 'suspended' where agent_id = ${agentId}`;
    const codes = (await Promise.all(waits)).map(({ body }) => body.error?.code);
    await service.db`update agents set status = 'active' where agent_id = ${agentId}`;
    expect(codes).toEqual(['agent_not_active', 'agent_not_active']);
  });

  it('does not see a request as pending whose payee was recalled by another process', async () => {
    const { request_id } = await pendingRequest(service, stage);
    await succeed(readRequest(service, stage, request_id));
    await service.db.begin(async (tx) => {
      await tx`update recipients set recall_generation = recall_generation + 1
        where recipient_id = ${stage.payee.recipientId}`;
      await tx`insert into recipient_recalls (recipient_id, generation, merchant_id, recalled_at)
        select recipient_id, recall_generation, merchant_id, ${service.clock.now()} from recipients
        where recipient_id = ${stage.payee.recipientId}`;
    });
    const { body } = await succeed(readRequest(service, stage, request_id));
    expect(body.payment_request).toMatchObject({ status: 'rejected', reason: 'payee_recalled' });
  });
});

describe('the version of a permission', () => {
  it('is renewed once in a transaction, however much changes', async () => {
    const versions = await service.db.begin(async (tx) => {
      const seen: (string | undefined)[] = [];
      for (const status of ['suspended', 'active', 'suspended', 'active']) {
        await tx`update agents set status = ${status} where agent_id = ${stage.agent.agentId}`;
        await tx`set constraints all immediate`;
        const [row] = await tx<{ version: string }[]>`
          select version from merchant_standings where merchant_id = ${stage.merchant.merchantId}`;
        seen.push(row?.version);
      }
      return seen;
    });
    expect(new Set(versions).size).toBe(1);
  });

  it('is held in one order by a wallet that closes, before its commit needs those of several merchants', async () => {
    const { merchantId } = stage.merchant;
    await expect(
      transaction(service.db, async (tx) => {
        await endConnectionsOfWallet(tx, stage.device.walletId, service.clock.now());
        const free = await service.db`
          select from merchant_standings where merchant_id = ${merchantId} for no key update skip locked`;
        expect(free).toHaveLength(0);
        throw new Error('enough');
      }),
    ).rejects.toThrow('enough');
  });
});
