import type { AuditEvent } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { activityActs, activity as texts } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { PAGE, readUpTo } from '../read-up-to.ts';
import { useSession } from '../session/session.tsx';

const STEP = 10;
const REFRESH_MS = 4_000;

/** So that a customer notices a device or a connection that is not theirs. */
export function Activity() {
  const { client } = useSession();
  const [shown, setShown] = useState(STEP);
  const query = useQuery({
    queryKey: ['activity', shown],
    // One more than is shown, to know whether there are older ones.
    queryFn: () => readUpTo(shown + 1, client.audit.each({ limit: Math.min(shown + 1, PAGE) })),
    refetchInterval: REFRESH_MS,
  });
  return (
    <section className="card stack" aria-labelledby="activity-title">
      <h2 id="activity-title">{texts.title}</h2>
      <p className="soft">{texts.lead}</p>
      <QueryView query={query}>
        {(events) => (
          <>
            {events.length === 0 ? <p>{texts.empty}</p> : null}
            <ul className="stack-tight plain-list">
              {events.slice(0, shown).map((event) => (
                <li key={event.audit_event_id}>
                  <Line event={event} />
                </li>
              ))}
            </ul>
            {events.length > shown ? (
              <Button kind="plain" onClick={() => setShown(shown + STEP)}>
                {texts.older}
              </Button>
            ) : null}
          </>
        )}
      </QueryView>
    </section>
  );
}

function Line({ event }: { event: AuditEvent }) {
  const { network_address: address, user_agent: agent } = event.details;
  return (
    <>
      <Moment>{event.occurred_at}</Moment>: <Actor event={event} /> {activityActs[event.type] ?? event.type}
      {typeof address === 'string' ? ` ${texts.from(address)}` : null}
      {typeof agent === 'string' ? (
        <>
          {' '}
          <ForeignText inline>{agent}</ForeignText>
        </>
      ) : null}
    </>
  );
}

function Actor({ event: { actor } }: { event: AuditEvent }) {
  const { device } = useSession();
  if (actor.kind === 'wallet') return actor.id === device.deviceId ? texts.thisDevice : texts.otherDevice;
  if (actor.kind === 'merchant') return <ForeignText inline>{actor.id ?? ''}</ForeignText>;
  return texts.actors[actor.kind] ?? actor.kind;
}
