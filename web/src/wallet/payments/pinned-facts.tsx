import { networkRow } from '@payassent/protocol';
import { Fragment } from 'react';
import { review } from '../../texts/wallet.ts';
import { ago } from '../../ui/ago.ts';
import { CopyButton } from '../../ui/button.tsx';
import { Address, Amount, type Fact, Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Badge } from '../../ui/notes.tsx';
import { LogLine, usePayeeCheck } from '../log/payee-check.tsx';
import { isHashMemo } from './own-memo.ts';
import { isInternational, type Payee, type Payment } from './payment.ts';

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
  /** Nothing calms beside a danger. */
  hasDanger: boolean;
}

/** Who asks, how much, for whom. Nothing in this box was written by the agent, and names have little room in it. */
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

/** The domain is what was checked, so it is large; the name is what somebody chose, so it is small. */
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
          <strong className="sheet-domain" data-fact="domain" data-length={lengthOf(domain)}>
            {domain.split('.').map((label, index) => (
              // Labels repeat and never move: their place is their identity. Lines break after a dot where they can.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <Fragment key={index}>
                {index === 0 ? null : '.'}
                <wbr />
                {label}
              </Fragment>
            ))}
          </strong>
        )}
        {domain !== undefined && isInternational(domain) ? (
          <Badge tone="warn">{pinned.international}</Badge>
        ) : null}
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

const LONG_DOMAIN = 24;
const VERY_LONG_DOMAIN = 50;

function lengthOf(domain: string): 'usual' | 'long' | 'longest' {
  if (domain.length <= LONG_DOMAIN) return 'usual';
  return domain.length <= VERY_LONG_DOMAIN ? 'long' : 'longest';
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

/** Folded where a domain vouches for the payee; where none does, the address is all there is to go by. */
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

/** Anyone who takes over a merchant puts an address of their own in place, and does not wait long. */
export function isRecentlyChanged({ payee }: Payment, now: Date): boolean {
  return (
    payee?.activatedAt !== undefined && now.getTime() - new Date(payee.activatedAt).getTime() < RECENT_MS
  );
}

function Changed({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at} data-fact="payee-changed">
      {ago(at, new Date())}
    </time>
  );
}

/** As many colours as people can tell apart; none of them is a colour of the page. */
const HUES = 12;

/**
 * A picture that an id alone decides: the same agent always looks the same, another one does not. Nobody can choose
 * theirs, because the service gives out the ids.
 */
function Avatar({ id }: { id: string }) {
  const bits = hashOf(id);
  const hue = (bits % HUES) * (360 / HUES);
  const dots = [0, 1, 2].map((index) => {
    const part = bits >>> (4 + index * 9);
    return { x: 6 + (part & 7) * 4, y: 6 + ((part >>> 3) & 7) * 4, r: 7 + ((part >>> 6) & 7) };
  });
  return (
    <svg className="avatar" viewBox="0 0 40 40" aria-hidden="true">
      <rect width="40" height="40" fill={`hsl(${hue} 48% 40%)`} />
      {dots.map(({ x, y, r }, index) => (
        <circle
          key={`${x}-${y}-${r}`}
          cx={x}
          cy={y}
          r={r}
          fill={`hsl(${(hue + 40 * (index + 1)) % 360} 62% ${56 + index * 9}%)`}
          opacity="0.85"
        />
      ))}
    </svg>
  );
}

/** FNV-1a: short, and any change of the text changes it. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}
