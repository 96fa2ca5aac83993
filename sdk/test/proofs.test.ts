import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import { AgentClient, ConnectionClient, isApiError, memoryStore } from '@payassent/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caught } from './harness/scripted.ts';

let service: TestService;
let world: World;
const proofs: string[] = [];
beforeAll(async () => {
  service = await startService();
  world = await wholeWorld(service, {
    fetch: (url, init) => {
      const proof = new Headers(init?.headers).get('dpop');
      if (proof !== null) proofs.push(proof);
      return fetch(url, init);
    },
  });
});
afterAll(() => service.close());

it('an agent with its key works on when its merchant begins to require proofs; the bare token does not', async () => {
  const { merchant, registered, connection, payee, connectionToken } = world;
  const { agentId, version } = registered;
  await connection.paymentRequests.listEvents({ since: 0 });
  expect(proofs).toHaveLength(1);
  await merchant.agents.update(agentId, { require_proof: true, version });

  const { payment_request } = await connection.paymentRequests.create(
    {
      recipient_id: payee.recipientId,
      payment: { amount: '1' },
      policy: { requires_user_approval: true },
    },
    { idempotencyKey: 'order 1' },
  );
  await connection.paymentRequests.get(payment_request.request_id);
  await connection.contexts.create({ title: 'Order' });
  expect(new Set(proofs).size).toBe(4);

  const bare = new ConnectionClient({ baseUrl: service.url, connectionToken });
  const refusal = await caught(bare.paymentRequests.listEvents({ since: 0 }));
  expect(isApiError(refusal) && refusal.code).toBe('proof_required');
  const bound = new ConnectionClient({ baseUrl: service.url, connectionToken, proofKey: registered.key });
  expect((await bound.paymentRequests.listEvents({ since: 0 })).events).toEqual([]);
});

it('a proof cannot be set by hand', () => {
  const { agentId, kid, key } = world.registered;
  const store = memoryStore();
  const options = { baseUrl: service.url, agentId, kid, key, store, headers: { DPoP: 'x' } };
  expect(() => new AgentClient(options)).toThrow(TypeError);
});
