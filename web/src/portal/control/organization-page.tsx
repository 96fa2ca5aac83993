import type { Merchant } from '@payassent/sdk';
import { useState } from 'react';
import { organizationTexts as texts } from '../../texts/portal/organization.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { CopyButton } from '../../ui/button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { updateMerchant, useMerchant, useSession } from '../session.ts';
import { Offered } from '../shell/offered.tsx';
import { SignOutEverywhere } from './safety-page.tsx';

export function OrganizationPage() {
  const merchant = useMerchant();
  return (
    <Page title={texts.title}>
      <Offered call="PATCH /v1/merchants/current">
        <section className="card section" aria-labelledby="organization-name">
          <h2 id="organization-name">{texts.name.title}</h2>
          <NameForm merchant={merchant} />
        </section>
      </Offered>
      <section className="card section" aria-labelledby="organization-facts">
        <h2 id="organization-facts">{texts.facts}</h2>
        <Facts
          facts={[
            [texts.status, texts[merchant.status]],
            [
              texts.id,
              <span key="id" className="row">
                <code>{merchant.merchant_id}</code>
                <CopyButton value={merchant.merchant_id} name={texts.id} />
              </span>,
            ],
            [texts.since, <Moment key="since">{merchant.created_at}</Moment>],
          ]}
        />
      </section>
      {merchant.status === 'active' ? (
        <>
          <PayeeRecords merchant={merchant} />
          <FourEyes merchant={merchant} />
        </>
      ) : null}
      <Sessions />
    </Page>
  );
}

function Sessions() {
  const session = useSession();
  return (
    <section className="card section" aria-labelledby="organization-sessions">
      <h2 id="organization-sessions">{texts.sessions.title}</h2>
      {session.place === 'inside' ? (
        <p>
          {texts.sessions.lead} <Moment>{session.endsAt}</Moment>
        </p>
      ) : null}
      <SignOutEverywhere />
    </section>
  );
}

function NameForm({ merchant }: { merchant: Merchant }) {
  const [name, setName] = useState(merchant.name);
  const rename = async () => {
    const change = { name: name.trim(), version: merchant.version };
    updateMerchant((await merchantClient.organization.update(change)).merchant);
  };
  return (
    <Form
      action={texts.name.save}
      done={texts.name.saved}
      disabled={name.trim() === merchant.name}
      run={rename}
    >
      <NameField
        label={texts.name.label}
        hint={texts.name.hint}
        autoComplete="organization"
        value={name}
        onValue={setName}
      />
    </Form>
  );
}

const recordTexts = texts.payeeRecords;

/** Whether the domain has to name every payee. It can be required here, and never be lifted. */
function PayeeRecords({ merchant }: { merchant: Merchant }) {
  const require = async () => {
    const { version } = (await merchantClient.organization.get()).merchant;
    updateMerchant(
      (await merchantClient.organization.update({ require_payee_binding: true, version })).merchant,
    );
  };
  return (
    <section className="card section" aria-labelledby="organization-payees">
      <h2 id="organization-payees">{recordTexts.title}</h2>
      <p>{merchant.require_payee_binding ? recordTexts.required : recordTexts.optional}</p>
      {merchant.require_payee_binding ? null : (
        <Offered call="PATCH /v1/merchants/current">
          <ConfirmButton texts={recordTexts.require} kind="usual" run={require} />
        </Offered>
      )}
    </section>
  );
}

const fourEyesTexts = texts.fourEyes;

/** One owner can require it; to lift it takes two. */
function FourEyes({ merchant }: { merchant: Merchant }) {
  const isOn = merchant.four_eyes;
  const change = async () => {
    const { version } = (await merchantClient.organization.get()).merchant;
    updateMerchant((await merchantClient.organization.update({ four_eyes: !isOn, version })).merchant);
  };
  return (
    <section className="card section" aria-labelledby="organization-four-eyes">
      <h2 id="organization-four-eyes">{fourEyesTexts.title}</h2>
      <p>{isOn ? fourEyesTexts.on : fourEyesTexts.off}</p>
      <Offered call="PATCH /v1/merchants/current">
        <ConfirmButton texts={isOn ? fourEyesTexts.lift : fourEyesTexts.require} kind="usual" run={change} />
      </Offered>
    </section>
  );
}
