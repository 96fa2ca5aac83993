import { type Domain, isApiError } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { domainTexts } from '../../texts/portal/domains.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note } from '../../ui/notes.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import { updateMerchant } from '../session.ts';
import { offered } from '../shell/offered.tsx';
import { ProofFailure } from './proof-failure.tsx';

const texts = domainTexts.check;

export const CheckDomain = offered(
  'POST /v1/merchant-domains/{}/verify',
  function CheckDomain({ domain }: { domain: Domain }) {
    const check = useMutation({
      mutationFn: () => merchantClient.domains.verify(domain.domain_id),
      onSuccess: async ({ merchant }) => {
        updateMerchant(merchant);
        await queries.invalidateQueries({ queryKey: ['domains'] });
      },
    });
    if (check.isSuccess)
      return (
        <Note kind="good">
          <strong role="status">{texts.proved}</strong>
          <span>{texts.provedActive}</span>
          <span>
            <Link href="/recipients" className="button" data-kind="main">
              {texts.next}
            </Link>
          </span>
        </Note>
      );
    if (domain.status === 'verified') return null;
    return (
      <section className="card section" aria-labelledby="check-title">
        <h2 id="check-title">{texts.title}</h2>
        <p className="soft">{texts.hint}</p>
        {check.isError ? <ErrorNote error={check.error} /> : null}
        {isApiError(check.error, 'domain_proof_failed') ? (
          <ProofFailure details={check.error.details} />
        ) : null}
        <div>
          <Button kind="main" isBusy={check.isPending} onClick={() => check.mutate()}>
            {check.isPending ? texts.busy : texts.action}
          </Button>
        </div>
      </section>
    );
  },
);
