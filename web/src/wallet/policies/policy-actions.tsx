import { type AutomationPolicy, isApiError } from '@payassent/sdk';
import { useState } from 'react';
import { policies } from '../../texts/wallet.ts';
import { ActionButton, ConfirmButton } from '../../ui/action-buttons.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { Note } from '../../ui/notes.tsx';
import { refresh } from '../../ui/queries.ts';
import { acceptTerms, changeAccepted } from '../automatic/accepted-policies.ts';
import { guard } from '../lock/guard.ts';
import { useWallet } from '../session/session.tsx';
import { hasProposal } from './queries.ts';

type Threshold = 'single_tx_limit' | 'cumulative_limit' | 'validity_window' | 'allowlist';
const THRESHOLDS: readonly Threshold[] = [
  'single_tx_limit',
  'cumulative_limit',
  'validity_window',
  'allowlist',
];

export function PolicyActions({ policy }: { policy: AutomationPolicy }) {
  const client = useWallet();
  const [isRefused, setRefused] = useState(false);
  const after = async (change: Promise<unknown>) => {
    try {
      await change;
    } finally {
      await refresh('policies');
    }
  };
  const { id, version, status } = policy;
  /**
   * Accepts the terms on this page. When the policy has changed since, the page shows the new terms and needs a new
   * consent.
   */
  const accept = async (): Promise<boolean> => {
    setRefused(false);
    try {
      await after(client.policies.optIn(id, { version }));
      return true;
    } catch (error) {
      if (!isApiError(error, 'version_conflict')) throw error;
      setRefused(true);
      return false;
    }
  };
  const consent = async () => {
    if (!(await guard('optIn')) || !(await accept())) return;
    await acceptTerms(policy);
    await refresh('accepted-policies');
  };
  const setPaused = (isPaused: boolean) => changeAccepted(id, (kept) => kept && { ...kept, isPaused });
  const pause = async () => {
    await setPaused(true);
    await after(client.policies.pause(id));
  };
  const resume = async () => {
    if (!(await guard('optIn'))) return;
    await after(client.policies.resume(id, { version }));
    await setPaused(false);
  };
  const end = status === 'draft' ? policies.decline : policies.stop;
  return (
    <section className="stack" aria-label={policies.reviewTitle}>
      {isRefused ? <Note kind="warn" texts={policies.changed} /> : null}
      {/* Another version needs another consent: one that was begun for the previous version does not count. */}
      {status === 'draft' ? <OptIn key={version} policy={policy} onOptIn={consent} /> : null}
      {hasProposal(policy) ? (
        <Agreement key={version} texts={acceptTexts()} onAgree={consent} />
      ) : status === 'active' ? (
        <CheckPayees key={version} onCheck={accept} />
      ) : null}
      <div className="row">
        {/* Pausing needs no confirmation: it only makes things safer. */}
        {status === 'active' ? <ActionButton run={pause}>{policies.pause}</ActionButton> : null}
        {status === 'paused' ? <ConfirmButton texts={policies.resume} kind="usual" run={resume} /> : null}
        {status === 'revoked' ? null : (
          <ConfirmButton texts={end} run={() => after(client.policies.revoke(id))} />
        )}
      </div>
    </section>
  );
}

/** An opt-in on an active policy changes nothing, or reveals that a payee has changed. */
function CheckPayees({ onCheck }: { onCheck(): Promise<boolean> }) {
  const [isDone, setDone] = useState(false);
  return (
    <div className="stack-tight">
      <ActionButton run={async () => setDone(await onCheck())}>{policies.check.action}</ActionButton>
      {isDone ? <Note kind="good">{policies.check.current}</Note> : null}
    </div>
  );
}

function OptIn({ policy, onOptIn }: { policy: AutomationPolicy; onOptIn(): Promise<unknown> }) {
  const missing = THRESHOLDS.filter((name) => isMissing(policy, name));
  if (missing.length > 0)
    return (
      <Note kind="warn" texts={policies.missing}>
        <ul className="plain-list">
          {missing.map((name) => (
            <li key={name}>{policies.missing[name]}</li>
          ))}
        </ul>
      </Note>
    );
  return <Agreement texts={policies.optIn} onAgree={onOptIn} />;
}

interface AgreementTexts {
  agree: string;
  action: string;
  title: string;
  text: string;
  confirm: string;
}

function acceptTexts(): AgreementTexts {
  const { proposed } = policies;
  return { ...proposed, title: proposed.confirmTitle, text: proposed.confirmText };
}

/** First the customer confirms having read it; then the button is enabled. */
function Agreement({ texts, onAgree }: { texts: AgreementTexts; onAgree(): Promise<unknown> }) {
  const [hasRead, setRead] = useState(false);
  return (
    <div className="card stack">
      <CheckboxField label={texts.agree} checked={hasRead} onValue={setRead} />
      <ConfirmButton texts={texts} kind="main" disabled={!hasRead} run={onAgree} />
    </div>
  );
}

function isMissing(policy: AutomationPolicy, name: Threshold): boolean {
  const value = policy[name];
  return value === null || (Array.isArray(value) && value.length === 0);
}
