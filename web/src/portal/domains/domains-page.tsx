import type { Domain } from '@payassent/sdk';
import { domainTexts as texts } from '../../texts/portal/domains.ts';
import { Moment } from '../../ui/facts.tsx';
import { Badge, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { PagedTable, Row, RowLink, usePages } from '../parts/lists.tsx';
import { useMerchant } from '../session.ts';
import { Offered } from '../shell/offered.tsx';
import { AddDomainForm } from './add-domain-form.tsx';

export function DomainsPage() {
  const merchant = useMerchant();
  const pages = usePages({
    key: ['domains', 'list'],
    read: (cursor, signal) => merchantClient.domains.list(cursor, { signal }),
  });
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      {merchant.status === 'pending' ? <Note kind="warn" texts={texts.pendingMerchant} /> : null}
      <PagedTable pages={pages} texts={texts} rows={({ domains }) => domains}>
        {(domain) => (
          <Row key={domain.domain_id}>
            <RowLink href={`/domains/${domain.domain_id}`}>{domain.domain}</RowLink>
            {texts.methods[domain.method]}
            <DomainStatus status={domain.status} />
            <Moment>{domain.verified_at ?? domain.created_at}</Moment>
          </Row>
        )}
      </PagedTable>
      <Offered call="POST /v1/merchant-domains">
        <section className="card section" aria-labelledby="add-domain">
          <h2 id="add-domain">{texts.add.title}</h2>
          <AddDomainForm />
        </section>
      </Offered>
    </Page>
  );
}

const TONES = { pending: 'warn', verified: 'good', lapsed: 'bad' } as const;

export function DomainStatus({ status }: { status: Domain['status'] }) {
  return <Badge tone={TONES[status]}>{texts.statuses[status]}</Badge>;
}
