import { useQuery } from '@tanstack/react-query';
import { ringing as texts } from '../../texts/wallet.ts';
import { useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { Note } from '../../ui/notes.tsx';
import { queries, refresh } from '../../ui/queries.ts';
import { useWallet } from '../session/session.tsx';
import {
  keepSound,
  NoPushServiceError,
  playTone,
  readRinging,
  soundQuery,
  startRinging,
  stopRinging,
} from './push.ts';

/** Whether this device shows notifications, and what they contain. */
export function RingCard() {
  const client = useWallet();
  const state = useQuery({ queryKey: ['ringing'], queryFn: readRinging }).data;
  const { isBusy, error, run } = useAction();
  const change = (act: typeof startRinging) =>
    run(async () => {
      queries.setQueryData(['ringing'], await act(client));
      await refresh('devices');
    });
  return (
    <section className="card stack" aria-labelledby="ringing-title">
      <h2 id="ringing-title">{texts.title}</h2>
      <p>{texts.lead}</p>
      {state === 'denied' ? <Note kind="warn">{texts.denied}</Note> : null}
      {state === 'unsupported' ? <Note>{texts.unsupported}</Note> : null}
      {error instanceof NoPushServiceError ? <Note kind="bad">{texts.failed}</Note> : null}
      {error === undefined || error instanceof NoPushServiceError ? null : <ErrorNote error={error} />}
      <p role="status">{state === 'on' ? texts.on : state === 'off' ? texts.off : ''}</p>
      <div>
        {state === 'on' ? (
          <Button isBusy={isBusy} onClick={() => change(stopRinging)}>
            {texts.stop}
          </Button>
        ) : null}
        {state === 'off' ? (
          <Button kind="main" isBusy={isBusy} onClick={() => change(startRinging)}>
            {texts.action}
          </Button>
        ) : null}
      </div>
      <SoundChoice />
    </section>
  );
}

function SoundChoice() {
  const isOn = useQuery(soundQuery()).data ?? false;
  const choose = async (next: boolean) => {
    await keepSound(next);
    queries.setQueryData(['sound'], next);
    if (next) await playTone().catch(() => undefined);
  };
  return <CheckboxField label={texts.sound} checked={isOn} onValue={choose} />;
}
