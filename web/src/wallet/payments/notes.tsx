import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { locale } from '../../texts/language.ts';
import { review } from '../../texts/wallet.ts';
import { ago } from '../../ui/ago.ts';
import { Address } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { FormerNames } from '../connections/former-names.tsx';
import { connectionsQuery } from '../connections/queries.ts';
import { policyQuery } from '../policies/queries.ts';
import { useWallet } from '../session/session.tsx';
import { paidPayees } from '../storage/paid-payees.ts';
import { type Change, type Comparison, compareWithFormer, type Risk, risksOf } from './comparisons.ts';
import { makesClaims } from './names.ts';
import { isTooMuch, networkTitle, type Payment } from './payment.ts';
import { isRecentlyChanged } from './pinned-facts.tsx';
import { historyQuery } from './queries.ts';

const { notes } = review;
const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

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
    <section className="sheet-notes" aria-label={notes.title}>
      {isTooMuch(payment) ? <Warning>{notes.tooMuch}</Warning> : null}
      <Duplicates payment={payment} />
      {connection === undefined ? null : <FormerNames connection={connection} />}
      {claimsOf(payment, connection?.agent.name) ? <Warning>{notes.claims}</Warning> : null}
      {payment.payee?.domain === undefined || payment.payee.binding === 'payee' ? null : (
        <Warning>{notes.unbound}</Warning>
      )}
      {isRecentlyChanged(payment, new Date()) ? (
        <Warning>{notes.recent(ago(payment.payee?.activatedAt ?? '', new Date()))}</Warning>
      ) : null}
      {history.isError ? <Warning>{notes.history}</Warning> : null}
      {history.data === undefined && known.length === 0 ? null : (
        <HistoryNotes payment={payment} history={known} />
      )}
      {status === 'paused' ? <Warning>{notes.paused}</Warning> : null}
      {status === 'revoked' ? <Warning>{notes.revoked}</Warning> : null}
      <PolicyNote payment={payment} />
    </section>
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

function claimsOf(payment: Payment, agentName: string | undefined): boolean {
  const names = [payment.payee?.name, payment.agentName, agentName];
  return names.some((name) => name !== undefined && makesClaims(name));
}

function Duplicates({ payment: { duplicates } }: { payment: Payment }) {
  const { possible, acknowledged } = duplicates;
  return (
    <>
      {possible.length === 0 ? null : (
        <Warning>
          <strong>{notes.duplicate}</strong>
          <ul className="plain-list">
            {possible.map((id) => (
              <li key={id}>
                <ForeignText>{id}</ForeignText>
              </li>
            ))}
          </ul>
        </Warning>
      )}
      {acknowledged === undefined ? null : (
        <Warning>
          {notes.secondPayment} <ForeignText>{acknowledged}</ForeignText>
        </Warning>
      )}
    </>
  );
}

function HistoryNotes({ payment, history }: { payment: Payment; history: readonly Payment[] }) {
  const comparison = compareWithFormer(payment, history);
  const risks = risksOf(payment, history, new Date());
  return (
    <>
      {risks.map((risk) => (
        <Warning key={risk.risk}>
          <RiskText risk={risk} payment={payment} />
        </Warning>
      ))}
      <Changes comparison={comparison} />
    </>
  );
}

function Changes({ comparison: { former, changes } }: { comparison: Comparison }) {
  if (former === undefined) return <Warning>{notes.first}</Warning>;
  const when = DAY.format(new Date(former.createdAt));
  if (changes.length === 0) return <p className="sheet-quiet">{notes.same(when)}</p>;
  return (
    <Warning>
      <strong>{notes.changed(when)}</strong>
      <ul className="plain-list">
        {changes.map((change) => (
          <li key={change.what}>{changeText(change)}</li>
        ))}
      </ul>
    </Warning>
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
