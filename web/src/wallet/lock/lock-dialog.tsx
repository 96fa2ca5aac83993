import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type Ref, useCallback, useEffect, useRef, useState } from 'react';
import { common } from '../../texts/common.ts';
import { lock as texts } from '../../texts/wallet/lock.ts';
import { devices } from '../../texts/wallet.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { NoPasskeyError } from '../../ui/passkey.ts';
import { refresh } from '../../ui/queries.ts';
import { useCountdown } from '../connect/use-countdown.ts';
import { useSession } from '../session/session.tsx';
import { askLockPasskey } from './change-lock.ts';
import { LONGEST_PIN, tryPin } from './pin.ts';
import { lockQuery } from './queries.ts';
import type { Question } from './question.ts';
import { isUsedUp, MOST_WRONG, type PinLock, readLock } from './stored-lock.ts';

/** Other pages may try PINs at the same time. */
const REFRESH_MS = 1_000;

export function LockDialog({ question }: { question: Question }) {
  return (
    <Dialog title={texts.ask.title} isOpen onClose={() => question.answer(false)}>
      <p>{texts.ask.acts[question.act]}</p>
      {question.kind === 'pin' ? (
        <PinQuestion question={question} />
      ) : (
        <PasskeyQuestion question={question} />
      )}
    </Dialog>
  );
}

function PinQuestion({ question }: { question: Question }) {
  const lock = useQuery({ ...lockQuery(), refetchInterval: REFRESH_MS }).data;
  if (lock?.kind !== 'pin') return null;
  if (isUsedUp(lock))
    return (
      <>
        <UsedUp />
        <CloseButton question={question} />
      </>
    );
  return <PinForm question={question} lock={lock} />;
}

function CloseButton({ question }: { question: Question }) {
  return <Button onClick={() => question.answer(false)}>{common.cancel}</Button>;
}

function PinForm({ question, lock }: { question: Question; lock: PinLock }) {
  const field = useRef<HTMLInputElement>(null);
  const [pin, setPin] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { isBusy, error, run } = useAction();
  const pause = useCountdown(new Date(lock.pausedUntil).toISOString());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (pin === '' || isBusy || pause !== undefined) return;
    setPin('');
    setWrong(false);
    void run(async () => {
      if (await tryPin(pin)) return question.answer(true);
      setWrong(true);
      await refresh('lock');
      field.current?.focus();
    });
  };
  return (
    <form className="stack-tight" onSubmit={submit} autoComplete="off">
      <PinField
        ref={field}
        label={texts.pin.label}
        error={isWrong ? texts.ask.wrong : undefined}
        value={pin}
        onChange={setPin}
      />
      <div role="status" className="stack-tight">
        {lock.wrong === 0 || isBusy ? null : <p>{texts.ask.left(MOST_WRONG - lock.wrong)}</p>}
      </div>
      {pause === undefined ? null : <Note kind="warn">{texts.ask.pause(pause)}</Note>}
      <Problem error={error} />
      <div className="row">
        <Button kind="main" type="submit" isBusy={isBusy} disabled={pause !== undefined}>
          {texts.ask.action}
        </Button>
        <CloseButton question={question} />
      </div>
    </form>
  );
}

/** Requests the passkey immediately; the browser's own window shows the rest. */
function PasskeyQuestion({ question }: { question: Question }) {
  const { isBusy, error, run } = useAction();
  const wasAsked = useRef(false);
  const ask = useCallback(
    () =>
      run(async () => {
        const lock = await readLock();
        if (lock?.kind === 'passkey') await askLockPasskey(lock.credentialId);
        question.answer(lock?.kind !== 'pin');
      }),
    [run, question],
  );
  useEffect(() => {
    if (wasAsked.current) return;
    wasAsked.current = true;
    void ask();
  }, [ask]);
  return (
    <>
      {isBusy ? <Progress>{texts.ask.passkey}</Progress> : null}
      {error instanceof NoPasskeyError ? (
        <Note kind="warn">
          <strong>{texts.ask.refused}</strong>
          <span>{texts.ask.lostPasskey}</span>
        </Note>
      ) : error === undefined ? null : (
        <ErrorNote error={error} />
      )}
      <div className="row">
        {error === undefined ? null : (
          <Button kind="main" isBusy={isBusy} onClick={ask}>
            {texts.ask.again}
          </Button>
        )}
        <CloseButton question={question} />
      </div>
    </>
  );
}

const usedUpTexts = texts.usedUp;

/** The service keeps the device: the one that is enrolled in its place can sign it out. */
export function UsedUp() {
  const session = useSession();
  return (
    <Note kind="bad" texts={usedUpTexts}>
      <ConfirmButton
        texts={{ ...usedUpTexts, title: usedUpTexts.question, text: devices.remove.self }}
        run={session.forget}
      />
    </Note>
  );
}

interface PinFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  onChange(pin: string): void;
  ref?: Ref<HTMLInputElement>;
}

/** Digits, drawn as dots. No field for passwords: a PIN belongs into no password manager. */
export function PinField({ onChange, ...props }: PinFieldProps) {
  return (
    <TextField
      {...props}
      className="input input-pin"
      type="text"
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      maxLength={LONGEST_PIN}
      data-1p-ignore=""
      data-bwignore=""
      data-lpignore="true"
      onValue={(value) => onChange(value.replace(/\D/g, ''))}
    />
  );
}
