import { useState } from 'react';
import { enrol } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copy-button.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { Page } from '../../ui/page.tsx';

export function RecoveryCode({ code, onKept }: { code: string; onKept(): void }) {
  const [isKept, setKept] = useState(false);
  return (
    <Page title={enrol.kept.title}>
      <p>{enrol.kept.why}</p>
      <ShownOnce value={code} name={enrol.kept.name} />
      <CheckboxField
        label={enrol.kept.confirm}
        checked={isKept}
        onChange={(event) => setKept(event.target.checked)}
      />
      <div>
        <Button kind="main" size="large" disabled={!isKept} onClick={onKept}>
          {enrol.kept.action}
        </Button>
      </div>
    </Page>
  );
}
