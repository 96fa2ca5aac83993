import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpReceiver } from '../../server/test/harness/http-receiver.ts';
import { startService, type TestService } from '../../server/test/harness/service.ts';
import { payWithApproval } from './examples/agent.ts';
import { webhookHandler } from './examples/webhook.ts';
import { type World, wholeWorld } from './harness/world.ts';

/** What docs/SDK.md shows is what runs here. */
let service: TestService;
let world: World;
beforeAll(async () => {
  service = await startService();
  world = await wholeWorld(service);
});
afterAll(() => service.close());

describe('the examples of the API page', () => {
  it('an agent connects, asks, and learns that the user approved', async () => {
    const { wallet, registered, payee } = world;
    const { connect_key: connectKey } = await wallet.connectKeys.create();
    const { agentId, kid, key } = registered;
    const told = payWithApproval({
      baseUrl: service.url,
      agentId,
      kid,
      seed: key.seed,
      connectKey,
      recipientId: payee.recipientId,
    });
    const invitation = await untilFound(() => wallet.invitations.each({ status: 'pending_approval' }).next());
    await wallet.invitations.approve(invitation.connect_invitation_id);
    const request = await untilFound(() => wallet.paymentRequests.each({ status: 'pending' }).next());
    for (const status of ['signed', 'broadcasted', 'confirmed'] as const)
      await wallet.paymentRequests.reportStatus(request.request_id, { status });
    expect(await told).toMatch(/^confirmed \(key .+\)$/);
  });

  it('a receiver passes the verification, accepts what is signed and refuses what is not', async () => {
    const receiver = await startHttpReceiver();
    const { webhooks } = world.merchant;
    const { webhook_endpoint, secret } = await webhooks.create({ url: receiver.url });
    const handle = webhookHandler(secret);
    receiver.script({ kind: 'answer', status: 500 });
    const id = webhook_endpoint.webhook_endpoint_id;
    await webhooks.verify(id).catch(() => undefined);
    const [sent] = await receiver.waitForRequests(1);
    await receiver.close();
    const request = (body: string) =>
      new Request('http://receiver.example/', { method: 'POST', headers: sent?.headers ?? {}, body });
    const accepted = await handle(request(sent?.text ?? ''));
    expect(accepted.status).toBe(200);
    expect(JSON.parse(sent?.text ?? '').data.challenge).toBe(await accepted.text());
    expect((await handle(request(`${sent?.text} `))).status).toBe(400);
  });
});

async function untilFound<T>(look: () => Promise<IteratorResult<T, void>>): Promise<T> {
  for (;;) {
    const found = await look();
    if (!found.done) return found.value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
