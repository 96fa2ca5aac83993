import { AgentPaymentsClient } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { access } from '../../texts/portal/access.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copy-button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/facts.tsx';
import { Note } from '../../ui/notes.tsx';
import { merchantClient } from '../client.ts';
import { offered } from '../shell/offered.tsx';

const texts = access.admin;

/** A token for an hour. The service lists none, so only the one just made can be ended by itself. */
export const AdminSession = offered('POST /v1/admin-sessions', function AdminSession() {
  const creation = useMutation({ mutationFn: () => merchantClient.access.createAdminSession(), gcTime: 0 });
  const ending = useMutation({
    mutationFn: (sessionToken: string) =>
      new AgentPaymentsClient({
        baseUrl: location.origin,
        allowInsecureHttp: true,
        sessionToken,
      }).endSession(),
    onSuccess: () => creation.reset(),
  });
  const made = creation.data;
  const error = creation.error ?? ending.error;
  return (
    <section className="section" aria-labelledby="admin-title">
      <h2 id="admin-title">{texts.title}</h2>
      <p className="soft">{texts.lead}</p>
      {error === null ? null : <ErrorNote error={error} />}
      {made === undefined ? (
        <div className="row">
          <Button isBusy={creation.isPending} onClick={() => creation.mutate()}>
            {texts.make}
          </Button>
        </div>
      ) : (
        <div className="card stack">
          <ShownOnce value={made.session_token} name={texts.secretName} />
          <p className="soft">
            {texts.send} {texts.until} <Moment>{made.expires_at}</Moment>
          </p>
          <div>
            <Button kind="danger" isBusy={ending.isPending} onClick={() => ending.mutate(made.session_token)}>
              {texts.end}
            </Button>
          </div>
        </div>
      )}
      {ending.isSuccess && made === undefined ? <Note kind="good">{texts.ended}</Note> : null}
      <p className="soft">{texts.hidden}</p>
    </section>
  );
});
