import type { Merchant } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationTexts } from '../../texts/portal/organization.ts';
import { Button } from '../../ui/button.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { updateMerchant } from '../session.ts';
import { Form } from '../shell/form.tsx';

const texts = organizationTexts.name;

export function NameForm({ merchant }: { merchant: Merchant }) {
  const [name, setName] = useState(merchant.name);
  const rename = useMutation({
    mutationFn: () => merchantClient.organization.update({ name: name.trim(), version: merchant.version }),
    onSuccess: (answer) => updateMerchant(answer.merchant),
  });
  return (
    <Form
      error={rename.error}
      fields={['name']}
      onSubmit={() => rename.mutate()}
      actions={
        <>
          <Button
            type="submit"
            kind="main"
            isBusy={rename.isPending}
            disabled={name.trim() === merchant.name}
          >
            {texts.save}
          </Button>
          <span role="status">{rename.isSuccess ? texts.saved : ''}</span>
        </>
      }
    >
      <NameField
        label={texts.label}
        hint={texts.hint}
        refused={rename.error}
        autoComplete="organization"
        value={name}
        onChange={setName}
      />
    </Form>
  );
}
