import { Link } from 'wouter';
import { recipientTexts as texts } from '../../texts/portal/recipients.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { PagedTable, Row, RowLink, usePages } from '../parts/lists.tsx';
import { useMerchant } from '../session.ts';
import { Offered, PendingMerchant } from '../shell/offered.tsx';
import { RecipientStatus } from './recipient.tsx';

export function RecipientsPage() {
  const merchant = useMerchant();
  const pages = usePages({
    key: ['recipients', 'list'],
    read: (cursor, signal) => merchantClient.recipients.list(cursor, { signal }),
  });
  const create = (
    <Offered call="POST /v1/recipients">
      <Link href="/recipients/new" className="button" data-kind="main">
        {texts.create}
      </Link>
    </Offered>
  );
  const isPending = merchant.status === 'pending';
  const hasSome = (pages.query.data?.recipients.length ?? 0) > 0;
  return (
    <Page title={texts.title} actions={hasSome ? create : null}>
      <p className="soft">{texts.lead}</p>
      {isPending ? (
        <PendingMerchant />
      ) : (
        <PagedTable
          pages={pages}
          texts={texts}
          rows={({ recipients }) => recipients}
          empty={
            <EmptyState title={texts.empty.title} action={create}>
              {texts.empty.text}
            </EmptyState>
          }
        >
          {(recipient) => (
            <Row key={recipient.recipient_id}>
              <RowLink href={`/recipients/${recipient.recipient_id}`}>
                <ForeignText inline>{recipient.name}</ForeignText>
              </RowLink>
              <RecipientStatus status={recipient.status} />
              <code>{recipient.recipient_id}</code>
              <Moment>{recipient.created_at}</Moment>
            </Row>
          )}
        </PagedTable>
      )}
    </Page>
  );
}
