import { hasPinnedFacts } from '@payassent/sdk';
import { connectAgent } from './connect-steps.ts';
import { type DemoStage, ensure } from './demo-stage.ts';
import { fixPayee, proveMerchant } from './merchant-steps.ts';

const BAKERY = { name: 'Corner Bakery', email: 'bo@bakery.example', domain: 'bakery.example' };
const TX_HASH = '5f2b51ca2fdc5baa31ec02e002f69aec7d1d2af45d5a48ff40e9b4c35de8b2ee';

/** What it all comes to, before the long way: a payment in a few lines. */
export async function payInBrief(stage: DemoStage): Promise<void> {
  await stage.step(
    'One payment, in brief',
    'A bakery, its agent and a wallet are set up in silence. How that is done, and every call, comes after this.',
  );
  const { wallet, connection, recipientId } = await stage.inBrief(async () => {
    const { client, domainId } = await proveMerchant(stage, BAKERY);
    const payee = await fixPayee(stage, client, domainId, { name: BAKERY.name, memo: 'bread 7' });
    return { ...(await connectAgent(stage, client)), ...payee };
  });
  const { payment_request: asked } = await stage.inBrief(() =>
    connection.paymentRequests.create({ recipient_id: recipientId, payment: { amount: '3.20' } }),
  );
  const { request_id, payment, payee } = asked;
  stage.note(
    `asked      ${payment.amount} ${payment.asset} to ${payee.name} (${payee.domain}): ${asked.status}`,
  );
  const { payment_request: shown } = await stage.inBrief(() => wallet.paymentRequests.get(request_id));
  ensure(hasPinnedFacts(shown), 'facts whose digest is the pinned one');
  stage.note(`shown      ${payment.to}, as the merchant fixed it`);
  for (const status of ['signed', 'broadcasted', 'confirmed'] as const) {
    const report = { status, ...(status === 'signed' ? {} : { tx_hash: TX_HASH }) };
    await stage.inBrief(() => wallet.paymentRequests.reportStatus(request_id, report));
    stage.note(`wallet     ${status}`);
  }
  const { payment_request: paid } = await stage.inBrief(() => connection.paymentRequests.get(request_id));
  ensure(paid.status === 'confirmed' && paid.is_final, 'a confirmed payment');
  stage.note(`agent      reads ${paid.status}: what the wallet says, since no chain is touched here`);
}
