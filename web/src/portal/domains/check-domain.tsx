import { type Domain, type DomainChallenge, isApiError } from '@payassent/sdk';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { domainTexts } from '../../texts/portal/domains.ts';
import { useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note } from '../../ui/notes.tsx';
import { refresh } from '../../ui/queries.ts';
import { merchantClient } from '../client.ts';
import { updateMerchant } from '../session.ts';
import { offered } from '../shell/offered.tsx';
import { ProofFailure } from './proof-failure.tsx';

const texts = domainTexts.check;

type Asker = 'person' | 'page';

interface CheckProps {
  domain: Domain;
  challenge: DomainChallenge;
}

/** The page checks the domain automatically, and immediately when the team member presses the button. */
export const CheckDomain = offered(
  'POST /v1/merchant-domains/{}/verify',
  function CheckDomain({ domain, challenge }: CheckProps) {
    // Kept during the next check, so that the note does not flicker.
    const [failure, setFailure] = useState<{ error: unknown; asker: Asker }>();
    const [asker, setAsker] = useState<Asker>('page');
    const { isBusy: isChecking, isDone = false, run } = useAction();
    const check = (by: Asker) => {
      setAsker(by);
      void run(async () => {
        try {
          updateMerchant((await merchantClient.domains.verify(domain.domain_id)).merchant);
        } catch (error) {
          setFailure({ error, asker: by });
          throw error;
        }
        await refresh('domains');
      });
    };
    const isAbsent = isApiError(failure?.error, 'domain_proof_failed');
    const isHopeful =
      domain.status !== 'verified' &&
      !isDone &&
      Date.parse(challenge.expires_at) > Date.now() &&
      (isAbsent || !isApiError(failure?.error));
    const isLooking = useAutomaticLook(isHopeful, () => check('page'));
    if (domain.status === 'verified') return null;
    const isBusy = isChecking && asker === 'person';
    return (
      <section className="card section" aria-labelledby="check-title">
        <h2 id="check-title">{texts.title}</h2>
        <p className="soft">{texts.hint}</p>
        <p role="status">{isLooking ? texts.waiting : isHopeful ? texts.stopped : ''}</p>
        {failure === undefined || (isAbsent && failure.asker === 'page') ? null : (
          <ErrorNote error={failure.error} />
        )}
        {isApiError(failure?.error, 'domain_proof_failed') ? (
          <ProofFailure details={failure.error.details} />
        ) : null}
        <Button kind="main" isBusy={isBusy} onClick={() => check('person')}>
          {isBusy ? texts.busy : texts.action}
        </Button>
      </section>
    );
  },
);

/** The next step comes first: nothing else on the page has to be done. */
export function Proved() {
  return (
    <Note kind="good">
      <strong role="status">{texts.proved}</strong>
      <span>{texts.provedActive}</span>
      <span>{domainTexts.verifiedNote}</span>
      <span className="row">
        <Link href="/recipients/new" className="button" data-kind="main">
          {texts.create}
        </Link>
        <Link href="/recipients">{texts.next}</Link>
      </span>
    </Note>
  );
}

/**
 * Seconds before each check. Sixteen checks in nine minutes are far below a team member's limit of 120 changes a
 * minute.
 */
const PAUSES_S = [5, 10, 10, 10, 15, 15, 20, 30, 30, 45, 60, 60, 60, 60, 60, 60];

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Calls `look` at growing intervals while it is wanted and the page is visible. False: it has given up. */
function useAutomaticLook(isWanted: boolean, look: () => void): boolean {
  const [looks, setLooks] = useState(0);
  const isSeen = useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
  const newest = useRef(look);
  useEffect(() => {
    newest.current = look;
  });
  useEffect(() => {
    const pause = PAUSES_S[looks];
    if (!isWanted || !isSeen || pause === undefined) return;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      newest.current();
    }, pause * 1_000);
    return () => clearTimeout(timer);
  }, [isWanted, isSeen, looks]);
  return isWanted && looks < PAUSES_S.length;
}
