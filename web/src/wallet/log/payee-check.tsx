import { useQueryClient } from '@tanstack/react-query';
import { review } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Moment } from '../../ui/facts.tsx';
import { Note } from '../../ui/notes.tsx';
import type { Payment } from '../payments/payment.ts';
import { forgetKnownLog, usePayeeCheck } from './queries.ts';

const texts = review.log;

/** One line among the facts: what the public log says about the payee, as this device has computed it. */
export function LogLine({ payment }: { payment: Payment }) {
  const check = usePayeeCheck(payment);
  return (
    <span data-fact="log" data-state={check?.state ?? 'checking'}>
      {check === undefined ? (
        texts.checking
      ) : check.state === 'verified' ? (
        <>
          {texts.verified} <Moment>{check.since}</Moment>
        </>
      ) : (
        texts.lines[check.state]
      )}
    </span>
  );
}

/** What speaks against the payee, or keeps it from being checked. */
export function LogNote({ payment }: { payment: Payment }) {
  const cache = useQueryClient();
  const check = usePayeeCheck(payment);
  if (check === undefined || check.state === 'verified') return null;
  const { state } = check;
  const isLie = speaksAgainst(check);
  const trust = async () => {
    await forgetKnownLog();
    await cache.invalidateQueries({ queryKey: ['payee-check'] });
  };
  return (
    <Note kind={isLie ? 'bad' : 'warn'}>
      <strong>{texts.lines[state]}</strong>
      <span>{texts.explain[state]}</span>
      {state === 'broken' ? <span className="soft">{check.why}</span> : null}
      {state === 'new_key' || state === 'forked' ? (
        <div>
          <ConfirmButton
            label={texts.trust.action}
            title={texts.trust.title}
            confirmLabel={texts.trust.confirm}
            run={trust}
          >
            <p>{texts.trust.text}</p>
          </ConfirmButton>
        </div>
      ) : null}
    </Note>
  );
}

/** Somebody tells this wallet something else than the world: nothing is approved on such a word. */
export function speaksAgainst(check: ReturnType<typeof usePayeeCheck>): boolean {
  return check?.state === 'forked' || check?.state === 'broken';
}
