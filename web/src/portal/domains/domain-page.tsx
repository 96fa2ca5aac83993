import type { Domain, DomainChallenge, DomainMethod, DomainWithChallenge } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { domainTexts as texts } from '../../texts/portal/domains.ts';
import { ActionButton, ConfirmButton } from '../../ui/action-buttons.tsx';
import { CommandLine, Copied } from '../../ui/button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { queries, refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { Table } from '../parts/lists.tsx';
import { Offered, offered } from '../shell/offered.tsx';
import { CheckDomain, Proved } from './check-domain.tsx';
import { DomainStatus } from './domains-page.tsx';
import { relativeNames } from './host-of.ts';

export function DomainPage({ id }: { id: string }) {
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
      {domain.status === 'verified' ? <Proved /> : null}
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
      {domain.status === 'lapsed' ? <Note kind="warn" texts={texts.lapsedNote} /> : null}
      {domain.status === 'verified' ? <Monitor domain={domain.domain} /> : null}
      <Challenge domain={domain} challenge={challenge} />
      <CheckDomain domain={domain} challenge={challenge} />
      <RemoveDomain domain={domain} />
    </>
  );
}

/** How the owner of the domain watches every payee that is ever logged for it, also by us. */
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
      await refresh('domains');
    };
    return (
      <ConfirmButton
        texts={texts.remove}
        about={
          <p>
            <strong>{domain.domain}</strong>
          </p>
        }
        run={remove}
      />
    );
  },
);

const challengeTexts = texts.challenge;

/** What must be published, in the chosen way; the other way is one button away while the domain is not proven. */
function Challenge({ domain, challenge }: { domain: Domain; challenge: DomainChallenge }) {
  const isOver = domain.status !== 'verified' && Date.parse(challenge.expires_at) < Date.now();
  const other: DomainMethod = domain.method === 'dns' ? 'https' : 'dns';
  // The same name again keeps its record: it takes the new way, and a new challenge when the old one has expired.
  const again = async (method: DomainMethod) => {
    const registered = await merchantClient.domains.create({ domain: domain.domain, method });
    queries.setQueryData(['domains', domain.domain_id], registered);
  };
  return (
    <section className="card section" aria-labelledby="challenge-title">
      <h2 id="challenge-title">{challengeTexts.title}</h2>
      <p>{domain.method === 'dns' ? challengeTexts.dnsLead : challengeTexts.httpsLead}</p>
      <Facts
        facts={[
          ...parts(challenge, domain.method).map(
            ([name, value]) => [name, <Copied key={name} name={name} value={value} />] as const,
          ),
          domain.status === 'verified'
            ? null
            : [challengeTexts.until, <Moment key="until">{challenge.expires_at}</Moment>],
        ]}
      />
      {domain.method === 'dns' && domain.status !== 'verified' ? (
        <ProviderHints host={domain.domain} record={challenge.dns.name} />
      ) : null}
      <p className="soft">{challengeTexts.keep}</p>
      {isOver ? <Note kind="warn">{challengeTexts.over}</Note> : null}
      {domain.status === 'verified' ? null : (
        <Offered call="POST /v1/merchant-domains">
          <div className="row">
            {isOver ? (
              <ActionButton kind="main" run={() => again(domain.method)}>
                {challengeTexts.renew}
              </ActionButton>
            ) : null}
            <ActionButton kind="plain" run={() => again(other)}>
              {challengeTexts.other[other]}
            </ActionButton>
          </div>
        </Offered>
      )}
    </section>
  );
}

function parts({ dns, https }: DomainChallenge, method: DomainMethod): Array<readonly [string, string]> {
  if (method === 'https')
    return [
      [challengeTexts.address, https.url],
      [challengeTexts.content, https.body],
    ];
  return [
    [challengeTexts.type, dns.type],
    [challengeTexts.name, dns.name],
    [challengeTexts.value, dns.value],
  ];
}

const hintTexts = texts.challenge.hints;

/** Labels from the providers' own pages, which are not translated. */
const PROVIDERS: ReadonlyArray<readonly [provider: string, menu: string, field: string]> = [
  ['AWS Route 53', 'Hosted zones → your zone → Create record', 'Record name'],
  ['Azure DNS', 'DNS zones → your zone → Record set', 'Name'],
  ['Cloudflare', 'DNS → Records → Add record', 'Name'],
  ['Gandi', 'Domain → DNS Records → Add record', 'Name'],
  ['GoDaddy', 'Domain → DNS → Add New Record', 'Name'],
  ['Google Cloud DNS', 'Zones → your zone → Add standard', 'DNS name'],
  ['Hetzner', 'DNS → your zone → Add record', 'Name'],
  ['IONOS', 'Domains & SSL → DNS → Add record', 'Host name'],
  ['Namecheap', 'Domain List → Manage → Advanced DNS', 'Host'],
  ['OVHcloud', 'Domain names → DNS zone → Add an entry', 'Sub-domain'],
  ['Squarespace', 'Domains → DNS settings → Custom records', 'Host'],
];

/** Which menu, and what to enter as the name: most providers append the domain automatically. */
function ProviderHints({ host, record }: { host: string; record: string }) {
  return (
    <details className="stack-tight">
      <summary>{hintTexts.title}</summary>
      <div className="stack-tight">
        <p>{hintTexts.lead}</p>
        <Facts
          facts={relativeNames(record, host).map(({ zone, name }) => [
            hintTexts.zone(zone),
            <Copied key={zone} name={hintTexts.shortName} value={name} />,
          ])}
        />
        <Table label={hintTexts.table} heads={Object.values(hintTexts.heads)}>
          {PROVIDERS.map(([provider, menu, field]) => (
            <tr key={provider}>
              <th scope="row">{provider}</th>
              <td>{menu}</td>
              <td>{field}</td>
            </tr>
          ))}
        </Table>
        <p className="soft">{hintTexts.quotes}</p>
      </div>
    </details>
  );
}
