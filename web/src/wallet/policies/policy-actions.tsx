import type { AutomationPolicy } from '@countersign/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { policies } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { Note } from '../../ui/notes.tsx';
import { useWallet } from '../session/session.tsx';
import { useAct } from '../use-act.ts';

type Threshold = 'single_tx_limit' | 'cumulative_limit' | 'validity_window' | 'allowlist';
const THRESHOLDS: readonly Threshold[] = [
  'single_tx_limit',
  'cumulative_limit',
  'validity_window',
  'allowlist',
];

export function PolicyActions({ policy }: { policy: AutomationPolicy }) {
  const client = useWallet();
  const cache = useQueryClient();
  const after = async (change: Promise<unknown>) => {
    await change;
    await cache.invalidateQueries({ queryKey: ['policies'] });
  };
  const { id, version, status } = policy;
  return (
    <section className="stack" aria-label={policies.reviewTitle}>
      {status === 'draft' ? (
        <OptIn policy={policy} onOptIn={() => after(client.policies.optIn(id, { version }))} />
      ) : null}
      <div className="row">
        {status === 'active' ? <PauseButton onPause={() => after(client.policies.pause(id))} /> : null}
        {status === 'paused' ? (
          <ConfirmButton
            kind="usual"
            label={policies.resume}
            title={policies.resumeTitle}
            confirmLabel={policies.resume}
            run={() => after(client.policies.resume(id, { version }))}
          >
            <p>{policies.resumeText}</p>
          </ConfirmButton>
        ) : null}
        {status === 'revoked' ? null : (
          <ConfirmButton
            label={policies.stop.action}
            title={policies.stop.title}
            confirmLabel={policies.stop.confirm}
            run={() => after(client.policies.revoke(id))}
          >
            <p>{policies.stop.text}</p>
          </ConfirmButton>
        )}
      </div>
    </section>
  );
}

/** Pausing is never asked back: it only makes things safer. */
function PauseButton({ onPause }: { onPause(): Promise<void> }) {
  const { isBusy, error, run } = useAct();
  return (
    <>
      <Button isBusy={isBusy} onClick={() => run(onPause)}>
        {policies.pause}
      </Button>
      {error === undefined ? null : <ErrorNote error={error} />}
    </>
  );
}

function OptIn({ policy, onOptIn }: { policy: AutomationPolicy; onOptIn(): Promise<void> }) {
  const [hasRead, setRead] = useState(false);
  const missing = THRESHOLDS.filter((name) => isMissing(policy, name));
  if (missing.length > 0)
    return (
      <Note kind="warn">
        <strong>{policies.missing.title}</strong>
        <span>{policies.missing.text}</span>
        <ul className="plain-list">
          {missing.map((name) => (
            <li key={name}>{policies.missing[name]}</li>
          ))}
        </ul>
      </Note>
    );
  return (
    <div className="card stack">
      <CheckboxField
        label={policies.optIn.agree}
        checked={hasRead}
        onChange={(event) => setRead(event.target.checked)}
      />
      {hasRead ? (
        <div>
          <ConfirmButton
            kind="main"
            label={policies.optIn.action}
            title={policies.optIn.title}
            confirmLabel={policies.optIn.confirm}
            run={onOptIn}
          >
            <p>{policies.optIn.text}</p>
          </ConfirmButton>
        </div>
      ) : null}
    </div>
  );
}

function isMissing(policy: AutomationPolicy, name: Threshold): boolean {
  const value = policy[name];
  return value === null || (Array.isArray(value) && value.length === 0);
}
