// Slow: repeats each race many times, against two processes.
import { provedCredential, type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  agentToken,
  claim,
  connect,
  deviceOf,
  enrolDevice,
  type TestDevice,
} from '@payassent/proof/people/wallets';
import type { Caller, Received } from '@payassent/proof/service/client';
import { type ServiceProcess, startProcess } from '@payassent/proof/service/process';
import { freePort, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type postgres from '../../../vendor/postgres/src/index.js';

const PARALLEL = 100;
/** Each waits for the connection's lock, which the others have before it; a call waits ten seconds at most. */
const ROTATIONS = 20;

/** Two processes on one database: this one, and the compiled service next to it. */
let service: TestService;
let other: ServiceProcess;
let agent: TestAgent;
let rival: TestAgent;
let device: TestDevice;
beforeAll(async () => {
  service = await startService();
  const [first, second, third] = await Promise.all([
    verifiedMerchant(service),
    verifiedMerchant(service),
    startProcess({ ...service.env, SVC_PORT: String(await freePort()), SVC_LOG_LEVEL: 'debug' }),
  ]);
  other = third;
  agent = await usableAgent(service, first);
  rival = await usableAgent(service, second);
  device = await enrolDevice(service);
});
afterAll(async () => {
  await other?.end();
  await service.close();
});

const outcome = ({ status, body }: Received) => `${status} ${body.error?.code ?? 'ok'}`;
const tally = (answers: readonly Received[]) => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[outcome(answer)] = (counts[outcome(answer)] ?? 0) + 1;
  return counts;
};
const callers = (): [Caller, Caller] => [service.call, other.call];
/** The same call by many in parallel, half of them on each process. */
const all = (send: (call: Caller, index: number) => Promise<Received>, count = PARALLEL) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(callers()[index % 2] as Caller, index)));
const asDevice = (call: Caller, path: string, body?: object) =>
  call('POST', path, { device: deviceOf(device), ...(body ? { body } : {}) });

describe('one Connect Key claimed by agents of two tenants', () => {
  it('becomes one invitation, and the losers learn nothing but that it is used', async () => {
    const key = (await asDevice(service.call, '/v1/connect-keys')).body.connect_key;
    const bearers = [await agentToken(service, agent), await agentToken(service, rival)];
    const answers = await all((call, index) =>
      call('POST', '/v1/connect-invitations/claim', {
        bearer: bearers[Math.floor(index / 2) % 2] as string,
        body: { connect_key: key, requested_scopes: ['payment.requests.read'] },
        headers: { 'x-request-id': 'same' },
      }),
    );
    expect(tally(answers)).toEqual({ '201 ok': 1, '409 connect_key_used': PARALLEL - 1 });
    const losers = new Set(answers.filter(({ status }) => status !== 201).map(({ text }) => text));
    expect([...losers]).toHaveLength(1);
    expect([...losers][0]).not.toMatch(/(inv|agt|wlt|mer|con)_/);
    const rows = await service.db`
      select from connect_invitations i join connect_keys k on k.connect_key_id = i.connect_key_id
      where i.wallet_id = ${device.walletId}`;
    expect(rows).toHaveLength(1);
  });
});

describe('one exchange by many', () => {
  it('makes one connection with one token', async () => {
    const { invitationId, claimToken } = await claim(service, agent, device);
    const path = `/v1/connect-invitations/${invitationId}`;
    await asDevice(service.call, `${path}/approve`);
    const before = await countConnections();
    const answers = await all((call) => call('POST', `${path}/exchange`, { bearer: claimToken }));
    expect(tally(answers)).toEqual({ '200 ok': 1, '401 token_revoked': PARALLEL - 1 });
    expect(await countConnections()).toBe(before + 1);
    const audits = await service.db`
      select type from audit_events where target_id = ${invitationId} and type = 'connect_invitation.exchanged'`;
    expect(audits).toHaveLength(1);
  });

  async function countConnections(): Promise<number> {
    return (await service.db`select from connections where wallet_id = ${device.walletId}`).length;
  }
});

describe('approve against reject', () => {
  it('on an invitation: at most one approval, one rejection, and it ends rejected', async () => {
    const { invitationId, claimToken } = await claim(service, agent, device);
    const path = `/v1/connect-invitations/${invitationId}`;
    const decision = (index: number) => (Math.floor(index / 2) % 2 ? 'approve' : 'reject');
    const answers = await all((call, index) => asDevice(call, `${path}/${decision(index)}`));
    const accepted = answers.flatMap((answer, index) => (answer.status === 200 ? [decision(index)] : []));
    expect(accepted.filter((one) => one === 'reject')).toHaveLength(1);
    expect(accepted.filter((one) => one === 'approve').length).toBeLessThanOrEqual(1);
    expect(tally(answers)['409 invitation_closed']).toBe(PARALLEL - accepted.length);
    const late = await service.call('POST', `${path}/exchange`, { bearer: claimToken });
    expect(outcome(late)).toBe('409 invitation_closed');
  });

  it('against exchange: either rejected without a connection or connected without a rejection', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { invitationId, claimToken } = await claim(service, agent, device);
      const path = `/v1/connect-invitations/${invitationId}`;
      await asDevice(service.call, `${path}/approve`);
      const [rejected, exchanged] = await Promise.all([
        asDevice(service.call, `${path}/reject`),
        other.call('POST', `${path}/exchange`, { bearer: claimToken }),
      ]);
      const pair = `${outcome(rejected)} / ${outcome(exchanged)}`;
      expect(['200 ok / 409 invitation_closed', '409 invitation_closed / 200 ok']).toContain(pair);
    }
  });

  it('on a pairing: exactly one decision', async () => {
    const started = await service.call('POST', '/v1/pairing/sessions', {
      bearer: await agentToken(service, agent),
      body: { requested_scopes: ['payment.requests.read'] },
    });
    const { pairing_session_id: id, code } = started.body.pairing_session;
    const answers = await all((call, index) =>
      asDevice(call, `/v1/pairing/sessions/${id}/${Math.floor(index / 2) % 2 ? 'approve' : 'reject'}`, {
        code,
      }),
    );
    expect(tally(answers)).toEqual({ '200 ok': 1, '409 pairing_closed': PARALLEL - 1 });
    const made =
      await service.db`select from pairing_sessions where pairing_session_id = ${id} and connection_id is not null`;
    expect(made.length).toBe(answers.some(({ body }) => body.connection_token) ? 1 : 0);
  });
});

describe('rotate against use', () => {
  it('a connection token never works after the response to the rotation, on either process', async () => {
    const { connectionId, connectionToken } = await connect(service, agent, device);
    let rotatedAt = Number.POSITIVE_INFINITY;
    const uses: { sentAt: number; code: string }[] = [];
    const useUntilDead = async (call: Caller) => {
      for (;;) {
        const sentAt = performance.now();
        const code = outcome(await call('GET', '/v1/payment-requests/events', { bearer: connectionToken }));
        uses.push({ sentAt, code });
        if (code !== '200 ok') return;
      }
    };
    const users = Array.from({ length: PARALLEL }, (_, index) =>
      useUntilDead(callers()[index % 2] as Caller),
    );
    await expect.poll(() => uses.length).toBeGreaterThan(PARALLEL);
    const rotated = await asDevice(other.call, `/v1/connections/${connectionId}/rotate-token`);
    rotatedAt = performance.now();
    await Promise.all(users);
    expect(outcome(rotated)).toBe('200 ok');
    expect(uses.filter(({ sentAt, code }) => sentAt > rotatedAt && code === '200 ok')).toEqual([]);
    expect(uses.some(({ code }) => code === '200 ok')).toBe(true);
    expect(new Set(uses.map(({ code }) => code))).toEqual(new Set(['200 ok', '401 token_rotated']));
    for (const call of callers()) {
      const fresh = await call('GET', '/v1/payment-requests/events', {
        bearer: rotated.body.connection_token,
      });
      expect(outcome(fresh)).toBe('200 ok');
    }
  });

  it('many concurrent rotations leave exactly one living token', async () => {
    const { connectionId } = await connect(service, agent, device);
    const path = `/v1/connections/${connectionId}/rotate-token`;
    const answers = await all((call) => asDevice(call, path), ROTATIONS);
    expect(tally(answers)).toEqual({ '200 ok': ROTATIONS });
    const tokens = await service.db`
      select generation, ended_at from connection_tokens where connection_id = ${connectionId} order by generation`;
    expect(tokens.map((row) => row['generation'])).toEqual(
      Array.from({ length: ROTATIONS + 1 }, (_, index) => index + 1),
    );
    expect(tokens.filter((row) => row['ended_at'] === null)).toHaveLength(1);
  });

  it('collects at the same time return one token, and end the one that the wallet has seen', async () => {
    const { connectionId } = await connect(service, agent, device);
    const bearer = await agentToken(service, agent);
    const path = `/v1/connections/${connectionId}`;
    const { connection_token: shared } = (await asDevice(service.call, `${path}/rotate-token`)).body;
    const read = (token: string) => service.call('GET', '/v1/payment-requests/events', { bearer: token });
    expect(outcome(await read(shared))).toBe('200 ok');
    const responses = await all((call) => call('POST', `${path}/collect-token`, { bearer }));
    const own = new Set(responses.map(({ body }) => body.connection_token));
    expect(own.size).toBe(1);
    expect(outcome(await read([...own].join()))).toBe('200 ok');
    expect(outcome(await read(shared))).toBe('401 token_rotated');
  });

  it('a device token never works after its successor was used', async () => {
    const phone = await enrolDevice(service);
    const path = `/v1/wallet-devices/${phone.device_id}/rotate-token`;
    const { token } = (await service.call('POST', path, { device: deviceOf(phone) })).body;
    const list = (call: Caller, bearer: string) => call('GET', '/v1/wallet-devices', { bearer });
    const answers = await all((call, index) => list(call, index % 4 < 2 ? phone.token : token));
    const fresh = answers.filter((_, index) => index % 4 >= 2);
    expect(tally(fresh)).toEqual({ '200 ok': PARALLEL / 2 });
    for (const call of callers()) expect(outcome(await list(call, phone.token))).toBe('401 token_rotated');
  });
});

describe('a change on one process', () => {
  it('counts for the next request on the other', async () => {
    const merchant = await verifiedMerchant(service);
    const { session } = merchant;
    const theirs = await usableAgent(service, merchant);
    const path = `/v1/agents/${theirs.agentId}`;
    const { connectionId, connectionToken: bearer } = await connect(service, theirs, device);
    const write = async () =>
      outcome(await other.call('POST', '/v1/transaction-contexts', { bearer, body: { title: 'T' } }));
    const pause = (status: string) =>
      service.call('PATCH', `/v1/connections/${connectionId}`, {
        device: deviceOf(device),
        body: { status },
      });
    const change = async (status: string, version: number): Promise<number> =>
      (await service.call('PATCH', path, { session, body: { status, version } })).body.agent.version;

    expect(await write()).toBe('201 ok');
    await pause('paused');
    expect(await write()).toBe('403 connection_paused');
    expect(outcome(await other.call('GET', '/v1/payment-requests', { bearer }))).toBe('200 ok');
    await pause('active');
    expect(await write()).toBe('201 ok');
    const suspended = await change('suspended', theirs.version);
    expect(await write()).toBe('403 agent_not_active');
    await change('active', suspended);
    expect(await write()).toBe('201 ok');
    await service.call('DELETE', `${path}/credentials/${theirs.credentialId}`, { session });
    expect(await write()).toBe('403 agent_not_active');
    await provedCredential(service, session, theirs.agentId, 'second');
    expect(await write()).toBe('201 ok');
    await service.call('DELETE', `/v1/connections/${connectionId}`, { device: deviceOf(device) });
    expect(await write()).toBe('401 token_revoked');
  });
});

describe('the last device against new connections', () => {
  it('leaves no living connection behind, whatever was under way', async () => {
    const bearer = await agentToken(service, agent);
    for (let round = 0; round < 10; round += 1) {
      const phone = await enrolDevice(service);
      const { invitationId, claimToken } = await claim(service, agent, phone);
      const path = `/v1/connect-invitations/${invitationId}`;
      await service.call('POST', `${path}/approve`, { device: deviceOf(phone) });
      const started = await service.call('POST', '/v1/pairing/sessions', {
        bearer,
        body: { requested_scopes: ['payment.requests.read'] },
      });
      const { pairing_session_id: id, code } = started.body.pairing_session;
      const [deleted, ...others] = await Promise.all([
        service.call('DELETE', `/v1/wallet-devices/${phone.device_id}`, { device: deviceOf(phone) }),
        other.call('POST', `${path}/exchange`, { bearer: claimToken }),
        other.call('POST', `/v1/pairing/sessions/${id}/approve`, { device: deviceOf(phone), body: { code } }),
      ]);
      expect(outcome(deleted)).toBe('200 ok');
      for (const answer of others) expect([200, 401, 409]).toContain(answer.status);
      const living = await service.db`
        select from connections where wallet_id = ${phone.walletId} and status <> 'revoked'`;
      expect(living).toHaveLength(0);
    }
  });
});

describe('an agent that is revoked while it connects', () => {
  it('keeps no living connection', async () => {
    const merchant = await verifiedMerchant(service);
    for (let round = 0; round < 5; round += 1) {
      const doomed = await usableAgent(service, merchant);
      const { invitationId, claimToken } = await claim(service, doomed, device);
      const path = `/v1/connect-invitations/${invitationId}`;
      await asDevice(service.call, `${path}/approve`);
      const [, revoked] = await Promise.all([
        other.call('POST', `${path}/exchange`, { bearer: claimToken }),
        service.call('PATCH', `/v1/agents/${doomed.agentId}`, {
          session: merchant.session,
          body: { status: 'revoked', version: doomed.version },
        }),
      ]);
      expect(outcome(revoked)).toBe('200 ok');
      const queue = () => service.db`select from agent_revocations where agent_id = ${doomed.agentId}`;
      for (let look = 0; look < 500 && (await queue()).length > 0; look += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      const living = await service.db`
        select from connections where agent_id = ${doomed.agentId} and status <> 'revoked'`;
      expect(living).toHaveLength(0);
    }
  });
});

describe('a step that meets another half-way', () => {
  /** Runs `meet` while another transaction is open, then lets that one commit. */
  async function during(
    work: (sql: postgres.TransactionSql) => Promise<unknown>,
    meet: () => Promise<Received>,
  ): Promise<Received> {
    let met: Promise<Received> | undefined;
    let isAnswered = false;
    await service.db.begin(async (sql) => {
      await work(sql as unknown as postgres.TransactionSql);
      met = meet().finally(() => {
        isAnswered = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(isAnswered).toBe(false);
    });
    if (!met) throw new Error('nothing was met');
    return met;
  }

  it('an exchange waits for the revocation of its agent and is refused', async () => {
    const doomed = await usableAgent(service, await verifiedMerchant(service));
    const { invitationId, claimToken } = await claim(service, doomed, device);
    const path = `/v1/connect-invitations/${invitationId}`;
    await asDevice(service.call, `${path}/approve`);
    const answer = await during(
      (sql) => sql`update agents set status = 'revoked' where agent_id = ${doomed.agentId}`,
      () => other.call('POST', `${path}/exchange`, { bearer: claimToken }),
    );
    expect(outcome(answer)).toBe('401 token_revoked');
    expect(await service.db`select from connections where agent_id = ${doomed.agentId}`).toHaveLength(0);
  });

  it('an approval waits for the fifth wrong code and is refused', async () => {
    const started = await service.call('POST', '/v1/pairing/sessions', {
      bearer: await agentToken(service, agent),
      body: { requested_scopes: ['payment.requests.read'] },
    });
    const { pairing_session_id: id, code } = started.body.pairing_session;
    const phone = await enrolDevice(service);
    const answer = await during(
      (sql) =>
        sql`update pairing_sessions set status = 'expired', wrong_codes = 5 where pairing_session_id = ${id}`,
      () =>
        other.call('POST', `/v1/pairing/sessions/${id}/approve`, { device: deviceOf(phone), body: { code } }),
    );
    expect(outcome(answer)).toBe('409 pairing_closed');
    expect(await service.db`select from connections where wallet_id = ${phone.walletId}`).toHaveLength(0);
  });

  it('a rotation waits for the revocation of its connection and is refused', async () => {
    const { connectionId } = await connect(service, agent, device);
    const answer = await during(
      (sql) => sql`update connections set status = 'revoked' where connection_id = ${connectionId}`,
      () => asDevice(other.call, `/v1/connections/${connectionId}/rotate-token`),
    );
    expect(outcome(answer)).toBe('409 connection_revoked');
  });
});

describe('what the second process wrote', () => {
  it('contains no token, code or key, at the most talkative level', async () => {
    const { text } = await other.call('GET', '/metrics');
    expect(other.output()).toContain('/v1/connect-invitations/{id}/exchange');
    for (const written of [other.output(), text]) {
      expect(written).not.toMatch(/svc_(at|ct|cl|dt|ck|lc|rc|ms)_/);
      expect(written).not.toMatch(/[?&](code|token|device_id)=/);
    }
  });
});
