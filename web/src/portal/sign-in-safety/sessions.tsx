import type { MerchantSession } from '@payassent/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { safetyTexts } from '../../texts/portal/team.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { Table } from '../parts/table.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

const texts = safetyTexts.sessions;

export function Sessions() {
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => merchantClient.sessions.list({ signal }),
  });
  return (
    <section className="card section" aria-labelledby="sessions-title">
      <h2 id="sessions-title">{texts.title}</h2>
      <QueryView query={sessions}>
        {({ sessions: list }) => (
          <Table label={texts.table} heads={Object.values(texts.heads)}>
            {list.map((session) => (
              <SessionRow key={session.session_id} session={session} />
            ))}
          </Table>
        )}
      </QueryView>
      <SignOutEverywhere />
    </section>
  );
}

function SessionRow({ session }: { session: MerchantSession }) {
  const queries = useQueryClient();
  const end = async () => {
    await merchantClient.sessions.signOutOf(session.session_id);
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
  return (
    <tr>
      <td>
        <ForeignText inline>{session.network_address ?? texts.unknown}</ForeignText>
        {session.current ? <strong> ({texts.here})</strong> : null}
        <br />
        <span className="soft">
          <ForeignText inline>{session.user_agent ?? texts.unknown}</ForeignText>
        </span>
      </td>
      <td>{texts.by[session.signed_in_by]}</td>
      <td className="nowrap">
        <Moment>{session.created_at}</Moment>
      </td>
      <td className="nowrap">
        <Moment>{session.last_seen_at}</Moment>
      </td>
      <td>
        {session.current ? null : (
          <ConfirmButton
            label={texts.end.label}
            title={texts.end.title}
            confirmLabel={texts.end.confirm}
            run={end}
          >
            <span>{texts.end.body}</span>
          </ConfirmButton>
        )}
      </td>
    </tr>
  );
}
