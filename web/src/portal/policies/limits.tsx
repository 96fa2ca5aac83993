import type { AllowlistEntry, AutomationPolicy } from '@payassent/sdk';
import { policies } from '../../texts/portal/policies.ts';
import { Address, Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';

const texts = policies.limits;

/** The four thresholds as sentences; what is missing is said, because the user cannot agree without it. */
export function Limits({ policy }: { policy: AutomationPolicy }) {
  const { asset, single_tx_limit: single, cumulative_limit: cap, validity_window: window } = policy;
  const allowed = policy.allowlist ?? [];
  return (
    <section className="card stack" aria-labelledby="limits-title">
      <h2 id="limits-title">{texts.title}</h2>
      <ul className="plain-list">
        <li>{single === null ? texts.missing.single : texts.single(`${single} ${asset}`)}</li>
        <li>{cap === null ? texts.missing.cumulative : texts.cumulative(`${cap} ${asset}`)}</li>
        <li>
          {window === null ? (
            texts.missing.window
          ) : (
            <>
              {texts.window}
              <Facts
                facts={[
                  [texts.from, <Moment key="from">{window.from}</Moment>],
                  [texts.until, <Moment key="until">{window.until}</Moment>],
                ]}
              />
            </>
          )}
        </li>
        <li>
          {allowed.length === 0 ? texts.missing.payees : texts.payees}
          <ul className="plain-list">
            {allowed.map((entry) => (
              <li key={JSON.stringify(entry)}>
                <Payee entry={entry} policy={policy} />
              </li>
            ))}
          </ul>
        </li>
      </ul>
      <p className="soft">{texts.moved}</p>
    </section>
  );
}

function Payee({ entry, policy }: { entry: AllowlistEntry; policy: AutomationPolicy }) {
  if (entry.address !== undefined)
    return (
      <div className="stack-tight">
        <span>{texts.address}</span>
        <Address>{entry.address}</Address>
        {entry.memo === undefined ? null : (
          <span>
            {texts.memo}: <ForeignText inline>{entry.memo}</ForeignText>
          </span>
        )}
      </div>
    );
  const payee = policy.allowed_payees?.find(({ recipient_id }) => recipient_id === entry.recipient_id);
  if (payee === undefined)
    return (
      <span>
        {texts.payee} <code>{entry.recipient_id}</code>
      </span>
    );
  return (
    <div className="stack-tight">
      <span>
        <ForeignText inline>{payee.name}</ForeignText>
        {payee.domain === null ? null : `, ${texts.domain} ${payee.domain}`}
      </span>
      <Address>{payee.address}</Address>
      {payee.memo === null ? null : (
        <span>
          {texts.memo}: <ForeignText inline>{payee.memo}</ForeignText>
        </span>
      )}
    </div>
  );
}
