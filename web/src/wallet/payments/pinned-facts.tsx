import { networkRow } from '@payassent/protocol';
import { review } from '../../texts/wallet.ts';
import { ago } from '../../ui/ago.ts';
import { Address, Amount, Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Badge } from '../../ui/notes.tsx';
import { LogLine } from '../log/payee-check.tsx';
import { usePayeeCheck } from '../log/queries.ts';
import type { Payee, Payment } from './payment.ts';

const { pinned } = review;
const RECENT_MS = 24 * 3_600_000;

/** What would be paid, first and large. Nothing in this box was written by the agent. */
export function PinnedFacts({ payment, holds }: { payment: Payment; holds: boolean }) {
  const { facts, payee } = payment;
  const network = networkRow(facts.network);
  const isVerified = usePayeeCheck(payment)?.state === 'verified';
  return (
    <section className="pinned" aria-label={pinned.label}>
      <p className="soft">{payment.status === 'pending' ? pinned.heading : pinned.decided}</p>
      <Amount amount={facts.amount} asset={facts.asset} />
      <Facts
        facts={[
          [
            pinned.payee,
            <div className="payee" data-fact="payee" key="payee">
              {payee === undefined ? pinned.noPayee : <ForeignText>{payee.name}</ForeignText>}
            </div>,
          ],
          payment.typedBy === undefined
            ? null
            : [
                pinned.typed,
                <strong data-fact="typed-by" key="typed-by">
                  {pinned.typedBy[payment.typedBy]}
                </strong>,
              ],
          [
            isVerified || payee?.domain === undefined ? pinned.domain : pinned.statedDomain,
            <VerifiedDomain domain={payee?.domain} key="domain" />,
          ],
          [
            pinned.network,
            <span className="row" key="network">
              <span data-fact="network">{network.title}</span>
              {network.isTestnet ? <Badge tone="warn">{pinned.testnet}</Badge> : null}
            </span>,
          ],
          [
            pinned.address,
            <span data-fact="to" key="to">
              <Address>{facts.to}</Address>
            </span>,
          ],
          [
            pinned.memo,
            <div data-fact="memo" key="memo">
              {facts.memo ? <ForeignText>{facts.memo}</ForeignText> : pinned.noMemo}
            </div>,
          ],
          // Behind the address, so that who, what and where fit the smallest phone whatever the names are.
          payee?.domain === undefined ? null : [pinned.proof, <Proof payee={payee} key="proof" />],
          payee?.domain === undefined ? null : [pinned.log, <LogLine payment={payment} key="log" />],
          payee?.activatedAt === undefined
            ? null
            : [pinned.changed, <Changed at={payee.activatedAt} key="changed" />],
          facts.issuer ? [pinned.issuer, <Address key="issuer">{facts.issuer}</Address>] : null,
          facts.contract ? [pinned.contract, <Address key="contract">{facts.contract}</Address>] : null,
          payment.status === 'pending'
            ? [
                pinned.expires,
                <span data-fact="expires" key="expires">
                  <Moment>{payment.expiresAt}</Moment>
                </span>,
              ]
            : null,
        ]}
      />
      <p className="pinned-check" data-holds={holds}>
        {holds ? pinned.holds : pinned.broken}
      </p>
    </section>
  );
}

function Proof({ payee }: { payee: Payee }) {
  return (
    <span data-fact="binding" data-binding={payee.binding}>
      {pinned.bindings[payee.binding]}
    </span>
  );
}

/** Anyone who takes over a merchant puts an address of their own in place, and does not wait long. */
function Changed({ at }: { at: string }) {
  const now = new Date();
  const isRecent = now.getTime() - new Date(at).getTime() < RECENT_MS;
  return (
    <time dateTime={at} title={at} data-fact="payee-changed">
      {isRecent ? <Badge tone="warn">{ago(at, now)}</Badge> : ago(at, now)}
    </time>
  );
}

function VerifiedDomain({ domain }: { domain: string | undefined }) {
  if (domain === undefined) return <Badge tone="warn">{pinned.noDomain}</Badge>;
  return (
    <strong className="mono" data-fact="domain">
      {domain}
    </strong>
  );
}
