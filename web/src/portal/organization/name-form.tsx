import type { Merchant } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { organizationTexts } from '../../texts/portal/organization.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, fieldError } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { merchantClient } from '../client.ts';
import { updateMerchant } from '../session.ts';

const texts = organizationTexts.name;

export function NameForm({ merchant }: { merchant: Merchant }) {
  const [name, setName] = useState(merchant.name);
  const rename = useMutation({
    mutationFn: () => merchantClient.organization.update({ name: name.trim(), version: merchant.version }),
    onSuccess: (answer) => updateMerchant(answer.merchant),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  const nameError = fieldError(rename.error, 'name');
  return (
    <form className="form" onSubmit={submit}>
      <TextField
        label={texts.label}
        hint={texts.hint}
        error={nameError}
        autoComplete="organization"
        maxLength={200}
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {rename.isError && nameError === undefined ? <ErrorNote error={rename.error} /> : null}
      <div className="row">
        <Button type="submit" kind="main" isBusy={rename.isPending} disabled={name.trim() === merchant.name}>
          {texts.save}
        </Button>
        <span role="status">{rename.isSuccess ? texts.saved : ''}</span>
      </div>
    </form>
  );
}
