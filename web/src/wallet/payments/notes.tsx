import { type Danger, FAR_ABOVE, isNetwork, shownName } from '@payassent/protocol';
import type { Connection } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { locale } from '../../texts/language.ts';
import { checks as checkTexts, danger as texts } from '../../texts/wallet/danger.ts';
import { outcomes, review } from '../../texts/wallet.ts';
import { ago } from '../../ui/ago.ts';
import { Arrival } from '../../ui/arrivals.tsx';
import { Address } from '../../ui/facts.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { FormerNames, hasFormerNames } from '../connections/former-names.tsx';
import { connectionsQuery } from '../connections/queries.ts';
import { usePayeeCheck } from '../log/payee-check.tsx';
import { policyQuery } from '../policies/queries.ts';
import { serverNow } from '../session/server-clock.ts';
import { useWallet } from '../session/session.tsx';
import {
  type Change,
  type Comparison,
  compareWithFormer,
  isImitation,
  type Risk,
  risksOf,
  timesPaid,
} from './comparisons.ts';
import { paymentQuery } from './gateway.ts';
import { outcomeOf } from './outcome.ts';
import { isTooMuch, networkTitle, type Payment } from './payment.ts';
import { isRecentlyChanged } from './pinned-facts.tsx';
import { reviewPath } from './places.ts';
import type { Checks } from './use-checks.ts';

const { notes } = review;
const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** Every reason for caution that is no danger: the unusual first, what holds for every payment to the payee last. */
export function ReviewNotes({ payment, checks }: { payment: Payment; checks: Checks }) {
  const connections = useQuery(connectionsQuery(useWallet())).data;
  const connection = connections?.find((one) => one.connection_id === payment.connectionId);
  const log = usePayeeCheck(payment);
  const comparison = checks.history && compareWithFormer(payment, checks.history);
  const times = checks.history === undefined ? 0 : timesPaid(payment, checks.history);
  const isKnown = times > 0 && !checks.hasDanger;
  const isUnbound = payment.payee?.domain !== undefined && payment.payee.binding !== 'payee';
  const warnings = [
    ...ownWarnings(payment, connection),
    ...historyWarnings(payment, checks, comparison),
    ...standingWarnings(payment, connection),
    ...chosen(isUnbound && !isKnown && ['unbound', notes.unbound]),
    ...missingWarnings(checks),
  ];
  const isRenamed = connection !== undefined && hasFormerNames(connection);
  const isLogged = payment.payee?.domain === undefined || log?.state === 'verified';
  // Nothing reassuring is shown next to a warning.
  const isCalm = warnings.length === 0 && !checks.hasDanger && !checks.isWaiting && !isRenamed && isLogged;
  return (
    <section className="sheet-notes" aria-label={notes.title}>
      {isRenamed ? <FormerNames connection={connection} /> : null}
      {warnings.map(([name, words]) => (
        <Warning key={name}>{words}</Warning>
      ))}
      {isCalm && isKnown ? (
        <p className="sheet-calm" data-fact="known-payee">
          <Icon name="done" />
          {notes.paidBefore(times)}
        </p>
      ) : null}
      {/* What is true of every payment to this payee is no news once it was paid at this address. */}
      {isUnbound && isKnown ? <p className="sheet-quiet">{notes.unbound}</p> : null}
      <PolicyNote payment={payment} />
    </section>
  );
}

type Named = [name: string, words: ReactNode];

function chosen(...warnings: Array<Named | false>): Named[] {
  return warnings.filter((warning) => warning !== false);
}

function ownWarnings(payment: Payment, connection: Connection | undefined): Named[] {
  const { possible, acknowledged } = payment.duplicates;
  return chosen(
    isTooMuch(payment) && ['too-much', notes.tooMuch],
    possible.length > 0 && ['duplicates', <Duplicates key="duplicates" payment={payment} ids={possible} />],
    acknowledged !== undefined && [
      'acknowledged',
      <span key="acknowledged">
        {notes.secondPayment} <Earlier payment={payment} id={acknowledged} />
      </span>,
    ],
    hasWithheldName(payment, connection) && ['names', notes.claims],
  );
}

function historyWarnings(payment: Payment, { history }: Checks, comparison: Comparison | undefined): Named[] {
  if (history === undefined || comparison === undefined) return [];
  const { former, changes } = comparison;
  return chosen(
    ...risksOf(payment, history, new Date(serverNow()))
      .filter((risk) => !isImitation(risk, payment))
      .map((risk): Named => [risk.risk, <RiskText key={risk.risk} risk={risk} payment={payment} />]),
    former === undefined && ['first', notes.first],
    former !== undefined &&
      changes.length > 0 && [
        'changes',
        <Changes key="changes" when={DAY.format(new Date(former.createdAt))} changes={changes} />,
      ],
  );
}

function standingWarnings(payment: Payment, connection: Connection | undefined): Named[] {
  const { payee } = payment;
  const now = new Date(serverNow());
  return chosen(
    connection?.status === 'paused' && ['paused', notes.paused],
    connection?.status === 'revoked' && ['revoked', notes.revoked],
    isRecentlyChanged(payment, now) && ['recent', notes.recent(ago(payee?.activatedAt ?? '', now))],
  );
}

function missingWarnings({ missing }: Checks): Named[] {
  return chosen(
    missing.length > 0 && [
      'missing',
      <span key="missing" data-fact="missing-checks">
        {checkTexts.missing(missing.map((name) => checkTexts.names[name]).join(', '))}
      </span>,
    ],
  );
}

/** One line that speaks against a quick yes. */
function Warning({ children }: { children: ReactNode }) {
  return (
    <div className="note warning" data-kind="warn">
      <Icon name="warning" />
      <div className="stack-tight">{children}</div>
    </div>
  );
}

function hasWithheldName({ payee, agentName }: Payment, connection: Connection | undefined): boolean {
  const names = [payee?.name, agentName, connection?.agent.name];
  return names.some((name) => name !== undefined && shownName(name) === undefined);
}

function Duplicates({ payment, ids }: { payment: Payment; ids: readonly string[] }) {
  return (
    <>
      <strong>{notes.duplicate}</strong>
      <ul className="plain-list">
        {ids.map((id) => (
          <li key={id}>
            <Earlier payment={payment} id={id} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** An earlier request of the same agent: its recognizable details and a link. Only its id where it cannot be read. */
function Earlier({ payment: { connectionId }, id }: { payment: Payment; id: string }) {
  const place = { kind: 'request', connectionId, id } as const;
  const earlier = useQuery(paymentQuery(useWallet(), place)).data;
  if (earlier === undefined) return <ForeignText>{id}</ForeignText>;
  const { amount, asset } = earlier.facts;
  const when = DAY.format(new Date(earlier.createdAt));
  return (
    <Link href={reviewPath(place)}>
      {notes.earlier(`${amount} ${asset}`, when, outcomes.states[outcomeOf(earlier)])}
    </Link>
  );
}

function Changes({ when, changes }: { when: string; changes: readonly Change[] }) {
  return (
    <>
      <strong>{notes.changed(when)}</strong>
      <ul className="plain-list">
        {changes.map((change) => (
          <li key={change.what}>{changeText(change)}</li>
        ))}
      </ul>
    </>
  );
}

function changeText(change: Change): ReactNode {
  switch (change.what) {
    case 'version':
      return notes.version;
    case 'domain':
      return notes.domain(change.before ?? notes.none);
    case 'name':
      return (
        <>
          {notes.name} <PartyName>{change.before}</PartyName>
        </>
      );
  }
}

function RiskText({ risk, payment }: { risk: Risk; payment: Payment }): ReactNode {
  switch (risk.risk) {
    case 'same_name':
      return notes.sameName(risk.domain ?? notes.none);
    case 'look_alike':
      return (
        <>
          {notes.lookAlike} <Address>{risk.address}</Address>
        </>
      );
    case 'repeated':
      return notes.repeated(DAY.format(new Date(risk.at)));
    case 'no_payee':
      return notes.noPayee[payment.typedBy ?? 'unknown'];
    case 'unverified_domain':
      return notes.unverifiedDomain;
    case 'not_current':
      return notes.notCurrent;
  }
}

function PolicyNote({ payment }: { payment: Payment }) {
  if (payment.kind === 'request') return null;
  if (payment.initiatedBy === 'human') return <p className="sheet-quiet">{notes.byHuman}</p>;
  return payment.policyId === undefined ? null : <WithinPolicy policyId={payment.policyId} />;
}

function WithinPolicy({ policyId }: { policyId: string }) {
  const policy = useQuery(policyQuery(useWallet(), policyId)).data;
  const remaining = policy?.usage.remaining;
  return (
    <p className="sheet-quiet">
      <span>
        {notes.withinPolicy}{' '}
        {policy === undefined || remaining === null || remaining === undefined
          ? null
          : notes.remaining(remaining, policy.asset)}
      </span>{' '}
      <Link href={`/policies/${policyId}`}>{notes.policyLink}</Link>
    </p>
  );
}

interface DangerProps {
  payment: Payment;
  checks: Checks;
}

/**
 * First on the sheet, and red. It needs a separate act, at the other end of the page than the approval, so that no
 * habit and no double tap pays.
 */
export function DangerNote({ payment, checks }: DangerProps) {
  const { dangers, imitations, hasDanger, isConfirmed, confirm } = checks;
  if (!hasDanger) return null;
  return (
    <Arrival>
      <section className="note danger-note stack-tight" data-kind="bad" role="alert" data-fact="danger">
        <strong className="row">
          <Icon name="warning" />
          {dangers.length > 0 ? texts.title : texts.imitation}
        </strong>
        <ul className="plain-list">
          {dangers.map((danger) => (
            <li key={danger.danger}>{textOf(danger, payment)}</li>
          ))}
          {imitations.map((risk) => (
            <li key={risk.risk}>
              <RiskText risk={risk} payment={payment} />
            </li>
          ))}
        </ul>
        <p>{texts.advice}</p>
        <CheckboxField label={texts.confirm} checked={isConfirmed} onValue={confirm} />
      </section>
    </Arrival>
  );
}

function textOf(danger: Danger, { facts }: Payment): ReactNode {
  switch (danger.danger) {
    case 'address':
    case 'issuer':
    case 'contract':
      return (
        <>
          {texts[danger.danger]} {danger.before === null ? texts.none : <Address>{danger.before}</Address>}
        </>
      );
    case 'memo':
      return (
        <>
          {texts.memo} <ForeignText>{danger.before ?? texts.none}</ForeignText>
        </>
      );
    case 'network':
      return texts.network(isNetwork(danger.before) ? networkTitle(danger.before) : danger.before);
    case 'asset':
      return texts.asset(danger.before);
    case 'amount':
      return texts.amount(`${danger.highest} ${facts.asset}`, String(FAR_ABOVE));
  }
}
