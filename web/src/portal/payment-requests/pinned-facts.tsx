import { networkRow } from '@payassent/protocol';
import type { PaymentRequest } from '@payassent/sdk';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Address, Amount, type Fact, Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';

const texts = paymentRequests.pinned;

export function PinnedFacts({ request }: { request: PaymentRequest }) {
  const { payment, payee } = request;
  return (
    <section className="pinned stack" aria-label={texts.title}>
      <div className="stack-tight">
        <Amount amount={payment.amount} asset={payment.asset} />
        <div className="payee">
          <ForeignText>{payee.name}</ForeignText>
        </div>
      </div>
      <Facts
        facts={[
          [texts.domain, payee.domain],
          [texts.network, networkRow(payment.network).title],
          [
            texts.address,
            <span className="row" key="address">
              <Address>{payment.to}</Address>
              <CopyButton value={payment.to} name={texts.address.toLowerCase()} />
            </span>,
          ],
          optional(texts.memo, payment.memo),
          optional(texts.issuer, payment.issuer, true),
          optional(texts.contract, payment.contract, true),
          [texts.expires, <Moment key="expires">{request.expires_at}</Moment>],
        ]}
      />
      <p className="soft">{texts.lead}</p>
    </section>
  );
}

function optional(name: string, value: string | undefined, isAddress = false): Fact | null {
  if (value === undefined) return null;
  const Shown = isAddress ? Address : ForeignText;
  return [name, <Shown key={name}>{value}</Shown>];
}
