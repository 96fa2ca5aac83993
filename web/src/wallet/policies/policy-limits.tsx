import { networkRow } from '@payassent/protocol';
import type { AllowedPayee, AllowlistEntry, AutomationPolicy } from '@payassent/sdk';
import { policies, review } from '../../texts/wallet.ts';
import { Address, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Badge } from '../../ui/notes.tsx';
import { PartyName } from '../../ui/party-name.tsx';

const { sentence } = policies;

/** The limits as sentences, in the box of pinned facts: this is what the user accepts, word for word. */
export function PolicyLimits({ policy }: { policy: AutomationPolicy }) {
  const { single_tx_limit, cumulative_limit, validity_window, asset, issuer } = policy;
  const network = networkRow(policy.network);
  return (
    <section className="pinned stack-tight" aria-labelledby="limits-title">
      <h2 id="limits-title">{policy.status === 'draft' ? sentence.heading : sentence.active}</h2>
      {single_tx_limit === null ? null : (
        <p className="payee">{sentence.single(`${single_tx_limit} ${asset}`)}</p>
      )}
      {cumulative_limit === null ? null : (
        <p className="payee">{sentence.cumulative(`${cumulative_limit} ${asset}`)}</p>
      )}
      {validity_window === null ? null : (
        <p>
          {sentence.window} {sentence.from} <Moment>{validity_window.from}</Moment> {sentence.until}{' '}
          <Moment>{validity_window.until}</Moment>.
        </p>
      )}
      <p className="row">
        {sentence.network(network.title)}
        {network.isTestnet ? <Badge tone="warn">{review.pinned.testnet}</Badge> : null}
      </p>
      {issuer === null ? null : (
        <p>
          {sentence.issuer} <Address>{issuer}</Address>
        </p>
      )}
      <AllowedPayees policy={policy} />
    </section>
  );
}

function AllowedPayees({ policy }: { policy: AutomationPolicy }) {
  if (policy.allowlist === null || policy.allowlist.length === 0) return null;
  return (
    <>
      <p>
        <strong>{sentence.payees}</strong>
      </p>
      <ul className="wallet-list">
        {policy.allowlist.map((entry) => (
          <li key={JSON.stringify(entry)}>
            <AllowedEntry policy={policy} entry={entry} />
          </li>
        ))}
      </ul>
      <p className="soft">{sentence.pinned}</p>
    </>
  );
}

function AllowedEntry({ policy, entry }: { policy: AutomationPolicy; entry: AllowlistEntry }) {
  if (entry.address !== undefined)
    return (
      <div className="stack-tight">
        <span>{sentence.bare}</span>
        <Address>{entry.address}</Address>
        <span>
          {review.pinned.memo}:{' '}
          {entry.memo === undefined ? sentence.noMemo : <ForeignText inline>{entry.memo}</ForeignText>}
        </span>
      </div>
    );
  const payee = policy.allowed_payees?.find(({ recipient_id }) => recipient_id === entry.recipient_id);
  return payee === undefined ? <span>{sentence.missingPayee}</span> : <PinnedPayee payee={payee} />;
}

/** A Recipient in the version that the user accepts with it. */
export function PinnedPayee({ payee }: { payee: AllowedPayee }) {
  return (
    <div className="stack-tight">
      <PartyName inline>{payee.name}</PartyName>
      <span className="mono">{payee.domain ?? review.pinned.noDomain}</span>
      <Address>{payee.address}</Address>
      {payee.memo === null ? null : (
        <span>
          {review.pinned.memo}: <ForeignText inline>{payee.memo}</ForeignText>
        </span>
      )}
    </div>
  );
}
