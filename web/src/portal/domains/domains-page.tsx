import type { Domain } from '@payassent/sdk';
import { Link } from 'wouter';
import { domainTexts as texts } from '../../texts/portal/domains.ts';
import { Moment } from '../../ui/facts.tsx';
import { Badge, EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { PageSteps, Table, usePages } from '../parts/lists.tsx';
import { useMerchant } from '../session.ts';
import { Offered } from '../shell/offered.tsx';
import { AddDomainForm } from './add-domain-form.tsx';

export function DomainsPage() {
  const merchant = useMerchant();
  const pages = usePages({
    key: ['domains', 'list'],
    read: (cursor, signal) => merchantClient.domains.list(cursor, { signal }),
    next: (page) => page.next_cursor,
  });
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      {merchant.status === 'pending' ? (
        <Note kind="warn">
          <strong>{texts.pendingMerchant.title}</strong>
          <span>{texts.pendingMerchant.text}</span>
        </Note>
      ) : null}
      <QueryView query={pages.query}>
        {({ domains }) =>
          domains.length === 0 ? (
            <EmptyState title={texts.empty.title}>{texts.empty.text}</EmptyState>
          ) : (
            <div className="stack">
              <DomainTable domains={domains} />
              <PageSteps pages={pages} />
            </div>
          )
        }
      </QueryView>
      <Offered call="POST /v1/merchant-domains">
        <section className="card section" aria-labelledby="add-domain">
          <h2 id="add-domain">{texts.add.title}</h2>
          <AddDomainForm />
        </section>
      </Offered>
    </Page>
  );
}

function DomainTable({ domains }: { domains: readonly Domain[] }) {
  return (
    <Table label={texts.table} heads={Object.values(texts.heads)}>
      {domains.map((domain) => (
        <tr key={domain.domain_id}>
          <td>
            <Link href={`/domains/${domain.domain_id}`}>{domain.domain}</Link>
          </td>
          <td>{texts.methods[domain.method]}</td>
          <td>
            <DomainStatus status={domain.status} />
          </td>
          <td className="nowrap">
            <Moment>{domain.verified_at ?? domain.created_at}</Moment>
          </td>
        </tr>
      ))}
    </Table>
  );
}

const TONES = { pending: 'warn', verified: 'good', lapsed: 'bad' } as const;

export function DomainStatus({ status }: { status: Domain['status'] }) {
  return <Badge tone={TONES[status]}>{texts.statuses[status]}</Badge>;
}
