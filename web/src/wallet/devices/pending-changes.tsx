import type { Device, PendingChange } from '@payassent/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pendingChanges as texts } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { useSession } from '../session/session.tsx';
import { useAct } from '../use-act.ts';
import { pendingChangesQuery } from './pending-changes-note.tsx';
import { devicesQuery } from './queries.ts';

export function PendingChanges() {
  const { client } = useSession();
  const waiting = useQuery(pendingChangesQuery(client)).data ?? [];
  const devices = useQuery(devicesQuery(client)).data ?? [];
  if (waiting.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="pending-changes-title">
      <h2 id="pending-changes-title">{texts.title}</h2>
      <p>{texts.lead}</p>
      <ul className="wallet-list">
        {waiting.map((change) => (
          <li key={change.change_id}>
            <Change change={change} devices={devices} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Change({ change, devices }: { change: PendingChange; devices: readonly Device[] }) {
  const { client } = useSession();
  const cache = useQueryClient();
  const { isBusy, error, run } = useAct();
  const nameOf = (id: string) => devices.find(({ device_id }) => device_id === id)?.name ?? id;
  const cancel = () =>
    run(async () => {
      await client.pendingChanges.cancel(change.change_id);
      await cache.invalidateQueries({ queryKey: ['pending-changes'] });
      await cache.invalidateQueries({ queryKey: ['decision-key'] });
    });
  return (
    <div className="stack-tight" data-change={change.act}>
      <strong>{texts.acts[change.act]}</strong>
      {change.device_id === null ? null : (
        <span>
          {texts.device} <ForeignText inline>{nameOf(change.device_id)}</ForeignText>
        </span>
      )}
      <span>
        {texts.requestedBy} <ForeignText inline>{nameOf(change.requested_by)}</ForeignText>
      </span>
      <span>
        {texts.takesEffect} <Moment>{change.takes_effect_at}</Moment>
      </span>
      {error === undefined ? null : <ErrorNote error={error} />}
      <div>
        <Button kind="danger" isBusy={isBusy} onClick={cancel}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}
