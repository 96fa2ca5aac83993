import type { RecipientWithVersions } from '@payassent/sdk';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { useMerchant } from '../session.ts';
import { offeredPage, PendingMerchant } from '../shell/offered.tsx';
import { draftOf, EMPTY_DRAFT, factsOf, withNetwork } from './payee-facts.ts';
import { PayeeFields, useNetworks } from './payee-fields.tsx';
import { useRecipient } from './recipient.tsx';

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
  const create = async () => {
    const { recipient } = await merchantClient.recipients.create({ name: name.trim(), ...factsOf(draft) });
    void refresh('recipients');
    navigate(`/recipients/${recipient.recipient_id}`);
  };
  return (
    <>
      <p className="soft">{texts.createLead}</p>
      <div className="card">
        <Form action={texts.createAction} run={create}>
          <NameField label={texts.name} hint={texts.nameHint} value={name} onValue={setName} />
          <PayeeFields draft={draft} onChange={setDraft} />
        </Form>
      </div>
    </>
  );
}

export const NewVersionPage = offeredPage(
  'POST /v1/recipients/{}/versions',
  function NewVersionPage({ id }: { id: string }) {
    const query = useRecipient(id);
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
  const add = async () => {
    await merchantClient.recipients.addVersion(id, { ...factsOf(draft), version: recipient.version });
    await refresh('recipients');
    navigate(`/recipients/${id}`);
  };
  return (
    <>
      <p>
        <strong>
          <ForeignText inline>{recipient.name}</ForeignText>
        </strong>
      </p>
      <p className="soft">{texts.versionLead}</p>
      <div className="card">
        <Form action={texts.versionAction} run={add}>
          <PayeeFields draft={draft} onChange={setDraft} />
        </Form>
      </div>
    </>
  );
}
