import type { Domain, DomainChallenge, DomainMethod } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { domainTexts } from '../../texts/portal/domains.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Note } from '../../ui/notes.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import { Copied } from '../parts/copied.tsx';
import { Offered } from '../shell/offered.tsx';
import { ProviderHints } from './provider-hints.tsx';

const texts = domainTexts.challenge;

/** What must be published, in the chosen way; the other way is one button away while nothing is proved. */
export function Challenge({ domain, challenge }: { domain: Domain; challenge: DomainChallenge }) {
  const isOver = domain.status !== 'verified' && Date.parse(challenge.expires_at) < Date.now();
  const other: DomainMethod = domain.method === 'dns' ? 'https' : 'dns';
  // The same name again keeps its record: it takes the new way, and a new challenge when the old one is over.
  const again = useMutation({
    mutationFn: (method: DomainMethod) => merchantClient.domains.create({ domain: domain.domain, method }),
    onSuccess: (registered) => queries.setQueryData(['domains', domain.domain_id], registered),
  });
  return (
    <section className="card section" aria-labelledby="challenge-title">
      <h2 id="challenge-title">{texts.title}</h2>
      <p>{domain.method === 'dns' ? texts.dnsLead : texts.httpsLead}</p>
      <Facts
        facts={[
          ...parts(challenge, domain.method).map(
            ([name, value]) => [name, <Copied key={name} name={name} value={value} />] as const,
          ),
          domain.status === 'verified'
            ? null
            : [texts.until, <Moment key="until">{challenge.expires_at}</Moment>],
        ]}
      />
      {domain.method === 'dns' && domain.status !== 'verified' ? (
        <ProviderHints host={domain.domain} record={challenge.dns.name} />
      ) : null}
      <p className="soft">{texts.keep}</p>
      {isOver ? <Note kind="warn">{texts.over}</Note> : null}
      {again.isError ? <ErrorNote error={again.error} /> : null}
      {domain.status === 'verified' ? null : (
        <Offered call="POST /v1/merchant-domains">
          <div className="row">
            {isOver ? (
              <Button kind="main" isBusy={again.isPending} onClick={() => again.mutate(domain.method)}>
                {texts.renew}
              </Button>
            ) : null}
            <Button kind="plain" isBusy={again.isPending} onClick={() => again.mutate(other)}>
              {texts.other[other]}
            </Button>
          </div>
        </Offered>
      )}
    </section>
  );
}

function parts({ dns, https }: DomainChallenge, method: DomainMethod): Array<readonly [string, string]> {
  if (method === 'https')
    return [
      [texts.address, https.url],
      [texts.content, https.body],
    ];
  return [
    [texts.type, dns.type],
    [texts.name, dns.name],
    [texts.value, dns.value],
  ];
}
