import { networkRow } from '@payassent/protocol';
import { review } from '../../texts/wallet.ts';
import { ago } from '../../ui/ago.ts';
import { CopyButton } from '../../ui/button.tsx';
import { Address, Amount, type Fact, Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Badge } from '../../ui/notes.tsx';
import { Avatar } from '../avatar.tsx';
import { LogLine, usePayeeCheck } from '../log/payee-check.tsx';
import { serverNow } from '../session/server-clock.ts';
import { DomainName } from './domain-name.tsx';
import { isHashMemo } from './own-memo.ts';
import type { Payee, Payment } from './payment.ts';
import { Purpose } from './purpose.tsx';

const { pinned } = review;
const RECENT_MS = 24 * 3_600_000;

interface Asking {
  id: string;
  name: string | undefined;
}

interface PinnedProps {
  payment: Payment;
  holds: boolean;
  agent: Asking;
  /** Nothing reassuring is shown next to a danger. */
  hasDanger: boolean;
}

/** Who requests it, how much, what for, for whom. Of the agent's words one quoted line is in this box, and names have little room in it. */
export function PinnedFacts({ payment, holds, agent, hasDanger }: PinnedProps) {
  const { facts } = payment;
  const network = networkRow(facts.network);
  return (
    <section className="pinned sheet" aria-label={pinned.label} data-holds={holds}>
      <div className="sheet-agent">
        <Avatar id={agent.id} />
        <p>
          <Name fallback={pinned.anAgent}>{agent.name}</Name>{' '}
          <span className="soft">{payment.status === 'pending' ? pinned.asks : pinned.asked}</span>
        </p>
      </div>
      <Amount amount={facts.amount} asset={facts.asset} />
      <Purpose payment={payment} />
      <PayeeCard payment={payment} />
      <p className="sheet-network">
        <span data-fact="network">{network.title}</span>
        {network.isTestnet ? <Badge tone="warn">{pinned.testnet}</Badge> : null}
      </p>
      <Details payment={payment} />
      {holds && hasDanger ? null : (
        <p className="pinned-check" data-holds={holds}>
          {holds ? pinned.holds : pinned.broken}
        </p>
      )}
    </section>
  );
}

/** The domain was verified, so it is large; the name was freely chosen, so it is small. */
function PayeeCard({ payment }: { payment: Payment }) {
  const { payee } = payment;
  const check = usePayeeCheck(payment);
  const domain = payee?.domain;
  const isVerified = check?.state === 'verified';
  return (
    <div
      className="sheet-payee"
      data-proof={domain === undefined ? 'none' : isVerified ? 'logged' : 'stated'}
    >
      <Icon name={domain === undefined ? 'question' : 'shield'} />
      <div>
        {domain === undefined ? (
          <Badge tone="warn">{pinned.noDomain}</Badge>
        ) : (
          <DomainName>{domain}</DomainName>
        )}
        {domain === undefined ? null : (
          <p className="sheet-small">{isVerified ? pinned.domain : pinned.statedDomain}</p>
        )}
        <p className="sheet-name" data-fact="payee">
          <Name fallback={pinned.noPayee}>{payee?.name}</Name>
        </p>
        {payment.typedBy === undefined ? null : (
          <p className="sheet-small">
            {pinned.typed} <strong data-fact="typed-by">{pinned.typedBy[payment.typedBy]}</strong>
          </p>
        )}
      </div>
    </div>
  );
}

/** A name on two lines at most. */
function Name({ children, fallback }: { children: string | undefined; fallback: string }) {
  if (children === undefined) return <span>{fallback}</span>;
  return (
    <span className="sheet-clamp">
      <PartyName inline>{children}</PartyName>
    </span>
  );
}

/** Folded where a domain vouches for the payee; otherwise the address is the only evidence. */
function Details({ payment }: { payment: Payment }) {
  const { facts, payee } = payment;
  return (
    <details className="sheet-details" open={payee?.domain === undefined}>
      <summary>{pinned.details}</summary>
      <Facts
        facts={[
          [
            pinned.address,
            <span className="stack-tight" key="to">
              <span data-fact="to">
                <Address>{facts.to}</Address>
              </span>
              <CopyButton value={facts.to} name={pinned.copyAddress} />
            </span>,
          ],
          [
            isHashMemo(facts) ? pinned.hashMemo : pinned.memo,
            <div data-fact="memo" key="memo">
              {facts.memo ? <ForeignText>{facts.memo}</ForeignText> : pinned.noMemo}
            </div>,
          ],
          payee === undefined
            ? null
            : [
                pinned.payee,
                <div data-fact="name" key="payee">
                  <PartyName>{payee.name}</PartyName>
                </div>,
              ],
          ...payeeFacts(payment),
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
          [
            pinned.createdWith,
            <span data-fact="created-with" key="created-with">
              {pinned.origins[payment.createdWith ?? 'unknown']}
            </span>,
          ],
          [
            pinned.digest,
            <code className="mono" key="digest">
              {payment.pinnedDigest}
            </code>,
          ],
        ]}
      />
    </details>
  );
}

function payeeFacts(payment: Payment): Array<Fact | null> {
  const { payee } = payment;
  if (payee === undefined) return [];
  return [
    payee.domain === undefined ? null : [pinned.proof, <Proof payee={payee} key="proof" />],
    payee.domain === undefined ? null : [pinned.log, <LogLine payment={payment} key="log" />],
    payee.activatedAt === undefined
      ? null
      : [pinned.changed, <Changed at={payee.activatedAt} key="changed" />],
  ];
}

function Proof({ payee }: { payee: Payee }) {
  return (
    <span data-fact="binding" data-binding={payee.binding}>
      {pinned.bindings[payee.binding]}
    </span>
  );
}

/** An attacker who takes over a merchant activates their own address, and does not wait long. */
export function isRecentlyChanged({ payee }: Payment, now: Date): boolean {
  return (
    payee?.activatedAt !== undefined && now.getTime() - new Date(payee.activatedAt).getTime() < RECENT_MS
  );
}

function Changed({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at} data-fact="payee-changed">
      {ago(at, new Date(serverNow()))}
    </time>
  );
}
