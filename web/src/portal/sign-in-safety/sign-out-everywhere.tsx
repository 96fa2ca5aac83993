import { organizationTexts } from '../../texts/portal/organization.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { merchantClient } from '../client.ts';
import { leave } from '../session.ts';
import { announceChange } from '../session-changes.ts';

const texts = organizationTexts.sessions;

export function SignOutEverywhere() {
  const signOutEverywhere = async () => {
    await merchantClient.sessions.signOutEverywhere();
    leave('signed-out-everywhere');
    announceChange();
  };
  return (
    <div>
      <ConfirmButton
        label={texts.everywhere}
        title={texts.everywhereTitle}
        confirmLabel={texts.everywhereConfirm}
        run={signOutEverywhere}
      >
        <p>{texts.everywhereBody}</p>
      </ConfirmButton>
    </div>
  );
}
