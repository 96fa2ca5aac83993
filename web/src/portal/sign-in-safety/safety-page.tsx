import { safetyTexts } from '../../texts/portal/team.ts';
import { Page } from '../../ui/page.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

/** How one gets in oneself, whatever the role. */
export function SafetyPage() {
  return (
    <Page title={safetyTexts.title}>
      <Passkeys />
      <Sessions />
    </Page>
  );
}
