import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { review } from '../../texts/wallet.ts';
import { Address } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Note } from '../../ui/notes.tsx';
import { FormerNames } from '../connections/former-names.tsx';
import { connectionsQuery } from '../connections/queries.ts';
import { policyQuery } from '../policies/queries.ts';
import { useWallet } from '../session/session.tsx';
import { paidPayees } from '../storage/paid-payees.ts';
import { type Change, type Comparison, compareWithFormer, type Risk, risksOf } from './comparisons.ts';
import { isTooMuch, networkTitle, type Payment } from './payment.ts';
import { historyQuery } from './queries.ts';

const { notes } = review;
const SOON_MS = 5 * 60_000;
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Changes since the last payment to this payee, and everything else that speaks against a quick yes. */
export function ReviewNotes({ payment }: { payment: Payment }) {
  const client = useWallet();
  const history = useQuery(historyQuery(client));
  // What this device remembers counts at once, and when the service does not tell.
  const known = history.data ?? paidPayees.read();
  const connections = useQuery(connectionsQuery(client));
  const connection = connections.data?.find((one) => one.connection_id === payment.connectionId);
  const status = connection?.status;
  return (
    <section className="stack-tight" aria-labelledby="notes-title">
      <h2 id="notes-title">{notes.title}</h2>
      {isTooMuch(payment) ? <Note kind="warn">{notes.tooMuch}</Note> : null}
      <Duplicates payment={payment} />
      {connection === undefined ? null : <FormerNames connection={connection} />}
      {history.isError ? <Note kind="warn">{notes.history}</Note> : null}
      {history.data === undefined && known.length === 0 ? null : (
        <HistoryNotes payment={payment} history={known} />
      )}
      {status === 'paused' ? <Note kind="warn">{notes.paused}</Note> : null}
      {status === 'revoked' ? <Note kind="warn">{notes.revoked}</Note> : null}
      {isExpiringSoon(payment) ? <Note kind="warn">{notes.expiresSoon}</Note> : null}
      <PolicyNote payment={payment} />
    </section>
  );
}

function Duplicates({ payment: { duplicates } }: { payment: Payment }) {
  const { possible, acknowledged } = duplicates;
  return (
    <>
      {possible.length === 0 ? null : (
        <Note kind="warn">
          <strong>{notes.duplicate}</strong>
          <ul className="plain-list">
            {possible.map((id) => (
              <li key={id}>
                <ForeignText>{id}</ForeignText>
              </li>
            ))}
          </ul>
        </Note>
      )}
      {acknowledged === undefined ? null : (
        <Note kind="warn">
          {notes.secondPayment} <ForeignText>{acknowledged}</ForeignText>
        </Note>
      )}
    </>
  );
}

function isExpiringSoon(payment: Payment): boolean {
  const left = new Date(payment.expiresAt).getTime() - Date.now();
  return payment.status === 'pending' && left > 0 && left < SOON_MS;
}

function HistoryNotes({ payment, history }: { payment: Payment; history: readonly Payment[] }) {
  const comparison = compareWithFormer(payment, history);
  const risks = risksOf(payment, history, new Date());
  return (
    <>
      {risks.map((risk) => (
        <Note kind="warn" key={risk.risk}>
          <RiskText risk={risk} payment={payment} />
        </Note>
      ))}
      <Changes comparison={comparison} />
    </>
  );
}

function Changes({ comparison: { former, changes } }: { comparison: Comparison }) {
  if (former === undefined) return <Note kind="warn">{notes.first}</Note>;
  const when = DAY.format(new Date(former.createdAt));
  if (changes.length === 0) return <Note kind="good">{notes.same(when)}</Note>;
  return (
    <Note kind="warn">
      <strong>{notes.changed(when)}</strong>
      <ul className="plain-list">
        {changes.map((change) => (
          <li key={change.what}>{changeText(change)}</li>
        ))}
      </ul>
    </Note>
  );
}

function changeText(change: Change): ReactNode {
  switch (change.what) {
    case 'address':
    case 'issuer':
    case 'contract':
      return (
        <>
          {notes[change.what]}{' '}
          {change.before ? <Address>{change.before}</Address> : <strong>{notes.none}</strong>}
        </>
      );
    case 'version':
      return notes.version;
    case 'network':
      return notes.network(networkTitle(change.before));
    case 'asset':
      return notes.asset(change.before);
    case 'scale':
      return notes.scale(change.before);
    case 'domain':
      return notes.domain(change.before ?? notes.none);
    case 'memo':
    case 'name':
      return (
        <>
          {notes[change.what]} <ForeignText>{change.before ?? notes.none}</ForeignText>
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
  if (payment.kind === 'request') return <Note>{notes.alwaysAsk}</Note>;
  if (payment.initiatedBy === 'human') return <Note>{notes.byHuman}</Note>;
  return payment.policyId === undefined ? null : <WithinPolicy policyId={payment.policyId} />;
}

function WithinPolicy({ policyId }: { policyId: string }) {
  const policy = useQuery(policyQuery(useWallet(), policyId)).data;
  const remaining = policy?.usage.remaining;
  return (
    <Note>
      <span>
        {notes.withinPolicy}{' '}
        {policy === undefined || remaining === null || remaining === undefined
          ? null
          : notes.remaining(remaining, policy.asset)}
      </span>
      <Link href={`/policies/${policyId}`}>{notes.policyLink}</Link>
    </Note>
  );
}
