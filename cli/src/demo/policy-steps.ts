import { AgentPaymentsClient, isApiError, type WalletClient } from '@payassent/sdk';
import type { DemoConnection } from './connect-steps.ts';
import { type DemoStage, ensure, UnexpectedError } from './demo-stage.ts';
import type { DemoMerchant } from './merchant-steps.ts';

export interface PolicyResult {
  withinLimits: string;
  byPerson: string;
  remaining: string | null;
}

const SMALL = '4';
const LARGE = '40';
const PLACE = { network: 'stellar_testnet', asset: 'XLM' } as const;
const TX_HASHES = [
  'c492d87c4642815dfb3c7dcce01af4effd162b031064098a0d786b6e0a00fd74',
  'f5971c8a3ae0c71d2b0a8b2f4b1d0b3f0a54c9b6e6a1f3de5ac2d1b9e7c4a801',
] as const;

/** What an agent may do by itself, and what happens beyond it. */
export async function payByPolicy(
  stage: DemoStage,
  merchant: DemoMerchant,
  connected: DemoConnection,
): Promise<PolicyResult> {
  const { wallet, connectionId, agentId } = connected;
  const { recipientId } = merchant;
  const { api_key: apiKey, policyId } = await agreeOnLimits(stage, merchant, connected, agentId);
  const agent = new AgentPaymentsClient({ ...stage.client('agent'), apiKey });
  const intent = { connection_id: connectionId, ...PLACE, recipient_id: recipientId };

  await stage.step(
    'The agent pays within the limits',
    'The policy accepts the intent and reserves its amount. The wallet still signs: a policy replaces the question, not the key.',
  );
  const small = await agent.payments.create({ ...intent, amount: SMALL });
  ensure(small.status === 'intent_created', 'an accepted intent');
  await settle(wallet, small.id, TX_HASHES[0]);
  await stage.webhook('agent_payment.confirmed');

  await stage.step(
    'The agent asks for more than it may',
    'The policy refuses, names every limit that was crossed and what would have passed. Nothing is stored.',
  );
  const resubmit = await expectRefusal(agent.payments.create({ ...intent, amount: LARGE }));
  const pretended = await refusalOf(agent.payments.create({ ...intent, amount: LARGE, ...resubmit }));
  ensure(pretended.code === 'human_credential_required', 'an agent that cannot pass as a person');
  stage.note('Calling itself a person does not help the agent: that takes the credential of one.');

  await stage.step(
    'A person decides',
    'The same intent is submitted again by a signed-in operator. Limits do not apply to people, but the wallet must still approve.',
  );
  const { session_token } = await merchant.client.access.createAdminSession();
  const person = new AgentPaymentsClient({ ...stage.client('person'), sessionToken: session_token });
  const large = await person.payments.create({ ...intent, amount: LARGE, ...resubmit });
  ensure(large.initiated_by === 'human', 'an intent of a person');
  await settle(wallet, large.id, TX_HASHES[1]);
  const settled = await person.payments.get(large.id);
  ensure(settled.status === 'confirmed', 'a confirmed payment');
  const { usage } = await wallet.policies.get(policyId);
  ensure(usage.spent === SMALL, 'a policy that counts only what it allowed');
  return { withinLimits: small.id, byPerson: large.id, remaining: usage.remaining };
}

async function agreeOnLimits(
  stage: DemoStage,
  merchant: DemoMerchant,
  { wallet, connectionId }: DemoConnection,
  agentId: string,
): Promise<{ api_key: string; policyId: string }> {
  await stage.step(
    'The user allows small payments in advance',
    'The agent proposes four limits: per payment, in total, for how long, to whom. They are a draft until the wallet opts in to exactly this version.',
  );
  const { api_key } = await merchant.client.access.createApiKey({ name: 'errands', agent_id: agentId });
  const agent = new AgentPaymentsClient({ ...stage.client('agent'), apiKey: api_key });
  const dayMs = 86_400_000;
  const draft = await agent.policies.create({
    connection_id: connectionId,
    ...PLACE,
    single_tx_limit: '10',
    cumulative_limit: '25',
    validity_window: {
      from: new Date(Date.now() - 60_000).toISOString(),
      until: new Date(Date.now() + 30 * dayMs).toISOString(),
    },
    allowlist: [{ recipient_id: merchant.recipientId }],
  });
  const shown = await wallet.policies.get(draft.id);
  const active = await wallet.policies.optIn(draft.id, { version: shown.version });
  ensure(active.status === 'active', 'an active policy');
  await stage.webhook('automation_policy.activated');
  return { api_key, policyId: draft.id };
}

async function settle(wallet: WalletClient, paymentId: string, txHash: string): Promise<void> {
  await wallet.agentPayments.reportStatus(paymentId, { status: 'signed' });
  await wallet.agentPayments.reportStatus(paymentId, { status: 'broadcasted', tx_hash: txHash });
  await wallet.agentPayments.reportStatus(paymentId, { status: 'confirmed' });
}

/** How to submit it again, as the refusal itself says. */
async function expectRefusal(creating: Promise<unknown>): Promise<{ initiated_by: 'human' }> {
  const refusal = await refusalOf(creating);
  if (!isApiError(refusal, 'HC_NC_5_HITL_REQUIRED')) throw refusal;
  const { triggered_thresholds: thresholds, resubmit } = refusal.details;
  ensure(
    thresholds.includes('single_tx_limit') && thresholds.includes('cumulative_limit'),
    'both limits named',
  );
  return resubmit;
}

async function refusalOf(creating: Promise<unknown>) {
  try {
    await creating;
  } catch (error) {
    if (isApiError(error)) return error;
    throw error;
  }
  throw new UnexpectedError('Expected: a refusal');
}
