import { LINKS_PER_HOUR } from '@payassent/protocol';
import type { EmailGrant, OpenSession } from '@payassent/sdk';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { locale } from '../../texts/language.ts';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { ActionButton } from '../../ui/action-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Badge, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { askForPasskey, hasPasskeys, NoPasskeyError } from '../../ui/passkey.ts';
import { merchantClient } from '../client.ts';
import { announceChange, enter } from '../session.ts';

/** Why the sign-in page is shown again. `new` needs no note. */
export type RequestReason = 'new' | keyof typeof signInTexts.notes;

const texts = signInTexts.request;

export function RequestLinkPage({ reason }: { reason: RequestReason }) {
  const [email, setEmail] = useState('');
  // An object for each link, so that the page also counts a further one to the same address.
  const [sent, setSent] = useState<{ to: string }>();
  const request = async (address: string) => {
    await merchantClient.sessions.requestLink({ email: address });
    noteRequest(address);
    setSent({ to: address });
  };
  if (sent !== undefined)
    return <LinkSent email={sent.to} onAgain={() => setSent(undefined)} onResend={() => request(sent.to)} />;
  return (
    <Page title={texts.title}>
      {reason === 'new' ? null : <ReasonNote reason={reason} />}
      <p>{texts.lead}</p>
      <Form action={texts.send} busy={texts.sending} run={() => request(email.trim())}>
        <TextField
          label={texts.email}
          hint={texts.emailHint}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          value={email}
          onValue={setEmail}
        />
      </Form>
      {hasPasskeys() ? <PasskeySignIn /> : null}
    </Page>
  );
}

function ReasonNote({ reason }: { reason: keyof typeof signInTexts.notes }) {
  const { title, text } = signInTexts.notes[reason];
  const isExpected = reason === 'signed-out' || reason === 'signed-out-everywhere';
  return (
    <Note kind={isExpected ? 'good' : 'warn'}>
      <strong>{title}</strong>
      <span>{text}</span>
    </Note>
  );
}

const sentTexts = signInTexts.sent;

interface LinkSentProps {
  email: string;
  onAgain(): void;
  onResend(): Promise<void>;
}

function LinkSent({ email, onAgain, onResend }: LinkSentProps) {
  return (
    <Page title={sentTexts.title}>
      <p>
        {sentTexts.text}{' '}
        <strong>
          <ForeignText inline>{email}</ForeignText>
        </strong>
      </p>
      <p className="soft">{sentTexts.hint}</p>
      <Exhausted email={email} />
      <div className="row">
        <ActionButton run={onResend}>{sentTexts.resend}</ActionButton>
        <Button kind="plain" onClick={onAgain}>
          {sentTexts.again}
        </Button>
      </div>
    </Page>
  );
}

const HOUR_MS = 3_600_000;
/** Links requested on this page, newest first. Counted here, the limit reveals nothing about known addresses. */
let requested: ReadonlyArray<{ email: string; at: number }> = [];

function noteRequest(email: string): void {
  const at = Date.now();
  requested = [{ email: email.toLowerCase(), at }, ...requested.filter((one) => at - one.at < HOUR_MS)];
}

const CLOCK = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

/** No link is mailed beyond the limit of an hour. The page counts them, and shows when the next one is mailed. */
function Exhausted({ email }: { email: string }) {
  const mailed = requested.filter((one) => one.email === email.toLowerCase());
  const oldest = mailed.at(-1);
  if (oldest === undefined || mailed.length <= LINKS_PER_HOUR) return null;
  return (
    <Note kind="warn">
      <span role="status">{sentTexts.exhausted(LINKS_PER_HOUR, CLOCK.format(oldest.at + HOUR_MS))}</span>
    </Note>
  );
}

const passkeyTexts = signInTexts.passkey;

/** The browser requests a passkey of this service; the passkey itself names its owner. */
function PasskeySignIn() {
  const [grant, setGrant] = useState<EmailGrant>();
  const open = useOpen();
  const use = async () => {
    const { options } = await merchantClient.sessions.passkeyOptions();
    setGrant(await merchantClient.sessions.verifyPasskey({ credential: await askForPasskey(options) }));
  };
  const again = () => setGrant(undefined);
  if (grant !== undefined)
    return <ChooseOrganization grant={grant} onOpened={open} onRefused={again} onFound={again} />;
  return (
    <section className="stack">
      <ActionButton
        run={use}
        problem={(error) =>
          error instanceof NoPasskeyError ? <Note kind="warn">{passkeyTexts.none}</Note> : undefined
        }
      >
        {passkeyTexts.action}
      </ActionButton>
    </section>
  );
}

/** Signs in, in every window of this browser. */
export function useOpen(): (opened: OpenSession) => void {
  const [, navigate] = useLocation();
  return (opened) => {
    enter(opened);
    announceChange();
    navigate('/', { replace: true });
  };
}

const chooseTexts = signInTexts.choose;

interface ChooseProps {
  grant: EmailGrant;
  onOpened(opened: OpenSession): void;
  onRefused(error: unknown): void;
  onFound(): void;
}

export function ChooseOrganization({ grant, onOpened, onRefused, onFound }: ChooseProps) {
  const { isBusy, error, run } = useAction();
  const [chosen, setChosen] = useState('');
  const open = (choiceId: string) => {
    setChosen(choiceId);
    void run(async () => {
      const choice = { session_grant: grant.session_grant, choice_id: choiceId };
      onOpened(await merchantClient.sessions.open(choice).catch(refusing(onRefused)));
    });
  };
  return (
    <Page title={chooseTexts.title}>
      <p>{chooseTexts.lead}</p>
      <ul className="choices">
        {grant.merchants.map(({ choice_id, name, status }) => (
          <li key={choice_id}>
            <button
              type="button"
              className="choice"
              disabled={isBusy}
              aria-busy={isBusy && chosen === choice_id}
              onClick={() => open(choice_id)}
            >
              <PartyName inline>{name}</PartyName>
              <Badge tone={status === 'active' ? 'good' : 'warn'}>{chooseTexts[status]}</Badge>
            </button>
          </li>
        ))}
      </ul>
      <Problem error={error} />
      <div className="row">
        <Button kind="plain" onClick={onFound}>
          {chooseTexts.another}
        </Button>
      </div>
    </Page>
  );
}

/** Reports an error to the page, and then rethrows it. */
export function refusing(onRefused: (error: unknown) => void) {
  return (error: unknown): never => {
    onRefused(error);
    throw error;
  };
}
