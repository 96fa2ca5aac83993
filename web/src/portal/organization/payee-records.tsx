import type { Merchant } from '@payassent/sdk';
import { organizationTexts } from '../../texts/portal/organization.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { merchantClient } from '../client.ts';
import { updateMerchant } from '../session.ts';
import { Offered } from '../shell/offered.tsx';

const texts = organizationTexts.payeeRecords;

/** Whether the domain has to name every payee. It can be demanded here, and never be taken back. */
export function PayeeRecords({ merchant }: { merchant: Merchant }) {
  const require = async () => {
    const { version } = (await merchantClient.organization.get()).merchant;
    updateMerchant(
      (await merchantClient.organization.update({ require_payee_binding: true, version })).merchant,
    );
  };
  return (
    <section className="card section" aria-labelledby="organization-payees">
      <h2 id="organization-payees">{texts.title}</h2>
      <p>{merchant.require_payee_binding ? texts.required : texts.optional}</p>
      {merchant.require_payee_binding ? null : (
        <Offered call="PATCH /v1/merchants/current">
          <div>
            <ConfirmButton
              kind="usual"
              label={texts.action}
              title={texts.question}
              confirmLabel={texts.confirm}
              run={require}
            >
              <p>{texts.body}</p>
            </ConfirmButton>
          </div>
        </Offered>
      )}
    </section>
  );
}
