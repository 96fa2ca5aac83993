import type { Recipient } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { Button } from '../../ui/button.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { Form } from '../shell/form.tsx';
import { offered } from '../shell/offered.tsx';

const texts = recipientTexts.rename;

/** The label changes for the merchant only: what customers see is a fact of each version. */
export const RenameRecipient = offered(
  'PATCH /v1/recipients/{}',
  function RenameRecipient({ recipient }: { recipient: Recipient }) {
    const [name, setName] = useState(recipient.name);
    const rename = useMutation({
      mutationFn: () =>
        merchantClient.recipients.update(recipient.recipient_id, {
          name: name.trim(),
          version: recipient.version,
        }),
      onSuccess: () => queries.invalidateQueries({ queryKey: ['recipients'] }),
    });
    return (
      <details className="disclosure">
        <summary>{texts.open}</summary>
        <Form
          error={rename.error}
          fields={['name']}
          onSubmit={() => rename.mutate()}
          actions={
            <>
              <Button type="submit" kind="main" isBusy={rename.isPending}>
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
            value={name}
            onChange={setName}
          />
        </Form>
      </details>
    );
  },
);
