import type { Recipient } from '@payassent/sdk';
import { Link } from 'wouter';
import { recipientTexts as texts } from '../../texts/portal/recipients.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { PageSteps, Table, usePages } from '../parts/lists.tsx';
import { useMerchant } from '../session.ts';
import { Offered, PendingMerchant } from '../shell/offered.tsx';
import { RecipientStatus } from './recipient.tsx';

export function RecipientsPage() {
  const merchant = useMerchant();
  const pages = usePages({
    key: ['recipients', 'list'],
    read: (cursor, signal) => merchantClient.recipients.list(cursor, { signal }),
    next: (page) => page.next_cursor,
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
        <QueryView query={pages.query}>
          {({ recipients }) =>
            recipients.length === 0 ? (
              <EmptyState title={texts.empty.title} action={create}>
                {texts.empty.text}
              </EmptyState>
            ) : (
              <div className="stack">
                <RecipientTable recipients={recipients} />
                <PageSteps pages={pages} />
              </div>
            )
          }
        </QueryView>
      )}
    </Page>
  );
}

function RecipientTable({ recipients }: { recipients: readonly Recipient[] }) {
  return (
    <Table label={texts.table} heads={Object.values(texts.heads)}>
      {recipients.map((recipient) => (
        <tr key={recipient.recipient_id}>
          <td>
            <Link href={`/recipients/${recipient.recipient_id}`}>
              <ForeignText inline>{recipient.name}</ForeignText>
            </Link>
          </td>
          <td>
            <RecipientStatus status={recipient.status} />
          </td>
          <td>
            <code>{recipient.recipient_id}</code>
          </td>
          <td className="nowrap">
            <Moment>{recipient.created_at}</Moment>
          </td>
        </tr>
      ))}
    </Table>
  );
}
