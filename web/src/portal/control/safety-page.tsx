import type { MerchantSession, Passkey } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationTexts } from '../../texts/portal/organization.ts';
import { safetyTexts } from '../../texts/portal/team.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { ago } from '../../ui/ago.ts';
import { Moment } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { hasPasskeys, makePasskey, NoPasskeyError, namedAddress } from '../../ui/passkey.ts';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { Row, Table } from '../parts/lists.tsx';
import { announceChange, leave } from '../session.ts';
import { browserName } from './browser-name.ts';

/** The team member's own ways to sign in, whatever the role. */
export function SafetyPage() {
  return (
    <Page title={safetyTexts.title}>
      <Passkeys />
      <Sessions />
    </Page>
  );
}

const texts = safetyTexts.passkeys;

function Passkeys() {
  const passkeys = useQuery({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => merchantClient.passkeys.list({ signal }),
  });
  return (
    <section className="card section" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">{texts.title}</h2>
      <p className="soft">{texts.lead}</p>
      <QueryView query={passkeys}>
        {({ passkeys: list }) =>
          list.length === 0 ? (
            <p>{texts.none}</p>
          ) : (
            <>
              {list.some(isPending) ? <Note kind="warn">{texts.pending}</Note> : null}
              <Table label={texts.table} heads={Object.values(texts.heads)}>
                {list.map((passkey) => (
                  <PasskeyRow key={passkey.passkey_id} passkey={passkey} />
                ))}
              </Table>
            </>
          )
        }
      </QueryView>
      {hasPasskeys() ? <AddPasskey /> : <OtherAddress />}
    </section>
  );
}

function isPending({ effective_at }: Passkey): boolean {
  return Date.parse(effective_at) > Date.now();
}

function OtherAddress() {
  return (
    <Note kind="warn">
      <span>{texts.address}</span>
      <a href={namedAddress('/portal')}>{namedAddress('/portal')}</a>
    </Note>
  );
}

function AddPasskey() {
  const [name, setName] = useState('');
  const add = async () => {
    const { options } = await merchantClient.passkeys.registrationOptions();
    const credential = await makePasskey(options);
    await merchantClient.passkeys.register({ name: name.trim(), credential });
    setName('');
    await refresh('passkeys');
  };
  return (
    <Form
      action={texts.add}
      done={texts.added}
      run={add}
      problem={(error) =>
        error instanceof NoPasskeyError ? <Note kind="warn">{texts.refused}</Note> : undefined
      }
    >
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        name="name"
        required
        maxLength={200}
        value={name}
        onValue={setName}
      />
    </Form>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  return (
    <Row>
      <ForeignText inline>{passkey.name}</ForeignText>
      <Moment>{passkey.created_at}</Moment>
      <Moment>{passkey.effective_at}</Moment>
      {passkey.last_used_at === null ? texts.never : <Moment>{passkey.last_used_at}</Moment>}
      <ConfirmButton
        texts={texts.remove}
        about={<ForeignText>{passkey.name}</ForeignText>}
        run={() => merchantClient.passkeys.remove(passkey.passkey_id)}
        refreshes={['passkeys']}
      />
    </Row>
  );
}

const sessionsTexts = safetyTexts.sessions;

function Sessions() {
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => merchantClient.sessions.list({ signal }),
  });
  return (
    <section className="card section" aria-labelledby="sessions-title">
      <h2 id="sessions-title">{sessionsTexts.title}</h2>
      <QueryView query={sessions}>
        {({ sessions: list }) => (
          <Table label={sessionsTexts.table} heads={Object.values(sessionsTexts.heads)}>
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
  const browser = session.user_agent === null ? undefined : browserName(session.user_agent);
  const seen = session.current ? sessionsTexts.now : ago(session.last_seen_at, new Date());
  return (
    <Row>
      <td className="session-cell">
        <strong title={session.user_agent ?? undefined}>
          {browser === undefined
            ? sessionsTexts.unknown
            : sessionsTexts.browser(browser.name, browser.system)}
          {', '}
          {seen}
        </strong>
        {session.current ? <span className="soft"> ({sessionsTexts.here})</span> : null}
        <div className="soft">
          {sessionsTexts.by[session.signed_in_by]}, <Moment>{session.created_at}</Moment>
          {session.network_address === null ? null : (
            <>
              , <ForeignText inline>{session.network_address}</ForeignText>
            </>
          )}
        </div>
      </td>
      {session.current ? null : (
        <ConfirmButton
          texts={sessionsTexts.end}
          run={() => merchantClient.sessions.signOutOf(session.session_id)}
          refreshes={['sessions']}
        />
      )}
    </Row>
  );
}

export function SignOutEverywhere() {
  const signOutEverywhere = async () => {
    await merchantClient.sessions.signOutEverywhere();
    leave('signed-out-everywhere');
    announceChange();
  };
  return <ConfirmButton texts={organizationTexts.sessions.everywhere} run={signOutEverywhere} />;
}
