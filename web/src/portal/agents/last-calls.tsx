import type { LoggedCall } from '@payassent/sdk';
import { callTexts as texts } from '../../texts/portal/agents.ts';
import { merchantClient } from '../client.ts';
import { PagedTable, Row, usePages } from '../parts/lists.tsx';
import { CALM_MS, LiveMark, PreciseMoment } from '../parts/live.tsx';

/** The agent's recent calls, for its developers. */
export function LastCalls({ agentId }: { agentId: string }) {
  const pages = usePages({
    key: ['request-log', agentId],
    read: (cursor, signal) =>
      merchantClient.agents.requestLog({ agent_id: agentId, limit: 25, ...cursor }, { signal }),
    everyMs: CALM_MS,
  });
  return (
    <section className="section" aria-labelledby="calls-title">
      <div className="row-between">
        <h2 id="calls-title">{texts.title}</h2>
        <LiveMark query={pages.query} />
      </div>
      <p className="soft">{texts.lead}</p>
      <PagedTable pages={pages} texts={texts} rows={({ calls }) => calls}>
        {(call) => <CallRow key={call.request_id} call={call} />}
      </PagedTable>
    </section>
  );
}

function CallRow({ call }: { call: LoggedCall }) {
  const { error_code: code } = call;
  return (
    <Row>
      <PreciseMoment at={call.called_at} />
      <code>{call.operation}</code>
      <td>
        {call.status}
        {code === null ? null : (
          <>
            {' '}
            <a href={`/docs/errors#${code}`} target="_blank" rel="noreferrer">
              {code}
            </a>
          </>
        )}
      </td>
      <span className="nowrap">{texts.ms(call.latency_ms)}</span>
      <code>{call.request_id}</code>
    </Row>
  );
}
