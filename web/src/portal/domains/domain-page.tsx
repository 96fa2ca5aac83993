import type { Domain, DomainWithChallenge } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { domainTexts as texts } from '../../texts/portal/domains.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import type { PageParams } from '../pages.ts';
import { CommandLine } from '../parts/copied.tsx';
import { offered } from '../shell/offered.tsx';
import { Challenge } from './challenge.tsx';
import { CheckDomain } from './check-domain.tsx';
import { DomainStatus } from './domain-status.tsx';

export function DomainPage({ params }: { params: PageParams }) {
  const id = params['id'] ?? '';
  const query = useQuery({
    queryKey: ['domains', id],
    queryFn: ({ signal }) => merchantClient.domains.get(id, { signal }),
  });
  return (
    <Page
      title={query.data?.domain.domain ?? texts.title}
      actions={<Link href="/domains">{texts.detail.back}</Link>}
    >
      <QueryView query={query}>{(found) => <DomainView found={found} />}</QueryView>
    </Page>
  );
}

function DomainView({ found: { domain, challenge } }: { found: DomainWithChallenge }) {
  return (
    <>
      <section className="card">
        <Facts
          facts={[
            [texts.detail.status, <DomainStatus key="status" status={domain.status} />],
            [texts.detail.method, texts.methods[domain.method]],
            [texts.detail.registered, <Moment key="registered">{domain.created_at}</Moment>],
            domain.verified_at === null
              ? null
              : [texts.detail.verified, <Moment key="verified">{domain.verified_at}</Moment>],
          ]}
        />
      </section>
      {domain.status === 'verified' ? <Note kind="good">{texts.verifiedNote}</Note> : null}
      {domain.status === 'lapsed' ? (
        <Note kind="warn">
          <strong>{texts.lapsedNote.title}</strong>
          <span>{texts.lapsedNote.body}</span>
        </Note>
      ) : null}
      {domain.status === 'verified' ? <Monitor domain={domain.domain} /> : null}
      <Challenge domain={domain} challenge={challenge} />
      <CheckDomain domain={domain} challenge={challenge} />
      <RemoveDomain domain={domain} />
    </>
  );
}

/** How the owner of the domain sees every payee that is ever claimed for it, also by us. */
function Monitor({ domain }: { domain: string }) {
  return (
    <section className="card section" aria-labelledby="monitor-title">
      <h2 id="monitor-title">{texts.monitor.title}</h2>
      <p>{texts.monitor.lead}</p>
      <CommandLine
        name={texts.monitor.name}
      >{`payassent monitor --base-url ${location.origin} --domain ${domain} --known known-payees.txt --state log-state.json`}</CommandLine>
      <p className="soft">{texts.monitor.known}</p>
    </section>
  );
}

const RemoveDomain = offered(
  'DELETE /v1/merchant-domains/{}',
  function RemoveDomain({ domain }: { domain: Domain }) {
    const [, navigate] = useLocation();
    const remove = async () => {
      await merchantClient.domains.delete(domain.domain_id);
      navigate('/domains');
      await queries.invalidateQueries({ queryKey: ['domains', 'list'] });
    };
    return (
      <div>
        <ConfirmButton
          label={texts.remove.action}
          title={texts.remove.title}
          confirmLabel={texts.remove.confirm}
          run={remove}
        >
          <p>
            <strong>{domain.domain}</strong>
          </p>
          <p>{texts.remove.body}</p>
        </ConfirmButton>
      </div>
    );
  },
);
