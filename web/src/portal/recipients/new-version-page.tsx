import type { RecipientWithVersions } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { Button } from '../../ui/button.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import type { PageParams } from '../pages.ts';
import { Form } from '../shell/form.tsx';
import { offeredPage } from '../shell/offered.tsx';
import { draftOf, EMPTY_DRAFT, factsOf } from './payee-facts.ts';
import { PAYEE_FIELDS, PayeeFields } from './payee-fields.tsx';
import { useRecipient } from './use-recipient.ts';

const texts = recipientTexts.form;

export const NewVersionPage = offeredPage(
  'POST /v1/recipients/{}/versions',
  function NewVersionPage({ params }: { params: PageParams }) {
    const query = useRecipient(params['id'] ?? '');
    return (
      <Page title={texts.versionTitle} actions={<Link href="/recipients">{texts.back}</Link>}>
        <QueryView query={query}>{(found) => <NewVersionForm found={found} />}</QueryView>
      </Page>
    );
  },
);

function NewVersionForm({ found: { recipient, recipient_versions } }: { found: RecipientWithVersions }) {
  const [newest] = recipient_versions;
  const [draft, setDraft] = useState(newest === undefined ? EMPTY_DRAFT : draftOf(newest));
  const [, navigate] = useLocation();
  const id = recipient.recipient_id;
  const add = useMutation({
    mutationFn: () =>
      merchantClient.recipients.addVersion(id, { ...factsOf(draft), version: recipient.version }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['recipients'] });
      navigate(`/recipients/${id}`);
    },
  });
  return (
    <>
      <p>
        <strong>
          <ForeignText inline>{recipient.name}</ForeignText>
        </strong>
      </p>
      <p className="soft">{texts.versionLead}</p>
      <div className="card">
        <Form
          error={add.error}
          fields={PAYEE_FIELDS}
          onSubmit={() => add.mutate()}
          actions={
            <Button type="submit" kind="main" isBusy={add.isPending}>
              {texts.versionAction}
            </Button>
          }
        >
          <PayeeFields draft={draft} onChange={setDraft} error={add.error} />
        </Form>
      </div>
    </>
  );
}
