import { organizationTexts as texts } from '../../texts/portal/organization.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { useMerchant, useSession } from '../session.ts';
import { Offered } from '../shell/offered.tsx';
import { SignOutEverywhere } from '../sign-in-safety/sign-out-everywhere.tsx';
import { FourEyes } from './four-eyes.tsx';
import { NameForm } from './name-form.tsx';
import { PayeeRecords } from './payee-records.tsx';

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
