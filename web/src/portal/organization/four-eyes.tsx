import type { Merchant } from '@payassent/sdk';
import { organizationTexts } from '../../texts/portal/organization.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { merchantClient } from '../client.ts';
import { updateMerchant } from '../session.ts';
import { Offered } from '../shell/offered.tsx';

const texts = organizationTexts.fourEyes;

/** One owner can require it; to lift it takes two. */
export function FourEyes({ merchant }: { merchant: Merchant }) {
  const isOn = merchant.four_eyes;
  const { action, question, body, confirm } = isOn ? texts.lift : texts.require;
  const change = async () => {
    const { version } = (await merchantClient.organization.get()).merchant;
    updateMerchant((await merchantClient.organization.update({ four_eyes: !isOn, version })).merchant);
  };
  return (
    <section className="card section" aria-labelledby="organization-four-eyes">
      <h2 id="organization-four-eyes">{texts.title}</h2>
      <p>{isOn ? texts.on : texts.off}</p>
      <Offered call="PATCH /v1/merchants/current">
        <div>
          <ConfirmButton kind="usual" label={action} title={question} confirmLabel={confirm} run={change}>
            <p>{body}</p>
          </ConfirmButton>
        </div>
      </Offered>
    </section>
  );
}
