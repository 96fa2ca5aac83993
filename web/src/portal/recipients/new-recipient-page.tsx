import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { useMerchant } from '../session.ts';
import { Form } from '../shell/form.tsx';
import { offeredPage } from '../shell/offered.tsx';
import { PendingMerchant } from '../shell/pending-merchant.tsx';
import { EMPTY_DRAFT, factsOf, withNetwork } from './payee-facts.ts';
import { PAYEE_FIELDS, PayeeFields } from './payee-fields.tsx';
import { useNetworks } from './use-networks.ts';

const texts = recipientTexts.form;

export const NewRecipientPage = offeredPage('POST /v1/recipients', function NewRecipientPage() {
  const merchant = useMerchant();
  const query = useNetworks();
  return (
    <Page title={texts.createTitle} actions={<Link href="/recipients">{texts.back}</Link>}>
      {merchant.status === 'pending' ? (
        <PendingMerchant />
      ) : (
        <QueryView query={query}>
          {(networks) => (
            <NewRecipientForm network={networks.find(({ enabled }) => enabled)?.network ?? ''} />
          )}
        </QueryView>
      )}
    </Page>
  );
});

/** Begins with a network that can be activated, and with the name that customers know already. */
function NewRecipientForm({ network }: { network: string }) {
  const [name, setName] = useState(useMerchant().name);
  const [draft, setDraft] = useState(withNetwork(EMPTY_DRAFT, network));
  const [, navigate] = useLocation();
  const create = useMutation({
    mutationFn: () => merchantClient.recipients.create({ name: name.trim(), ...factsOf(draft) }),
    onSuccess: ({ recipient }) => {
      void queries.invalidateQueries({ queryKey: ['recipients', 'list'] });
      navigate(`/recipients/${recipient.recipient_id}`);
    },
  });
  return (
    <>
      <p className="soft">{texts.createLead}</p>
      <div className="card">
        <Form
          error={create.error}
          fields={PAYEE_FIELDS}
          onSubmit={() => create.mutate()}
          actions={
            <Button type="submit" kind="main" isBusy={create.isPending}>
              {texts.createAction}
            </Button>
          }
        >
          <NameField
            label={texts.name}
            hint={texts.nameHint}
            refused={create.error}
            value={name}
            onChange={setName}
          />
          <PayeeFields draft={draft} onChange={setDraft} error={create.error} />
        </Form>
      </div>
    </>
  );
}
