import type { OperatorRole } from '@payassent/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { teamTexts } from '../../texts/portal/team.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { merchantClient } from '../client.ts';
import { useMerchant } from '../session.ts';
import { Form } from '../shell/form.tsx';
import { offered } from '../shell/offered.tsx';

const texts = teamTexts.invite;

export function roleChoices() {
  return (['viewer', 'developer', 'owner'] as const).map((role) => ({
    value: role,
    label: teamTexts.roles[role],
  }));
}

export const InviteForm = offered('POST /v1/merchant-operators', function Invite() {
  const queries = useQueryClient();
  const merchant = useMerchant();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<OperatorRole>('viewer');
  const invite = useMutation({
    mutationFn: () => merchantClient.operators.invite({ email: email.trim(), role }),
    onSuccess: () => {
      setEmail('');
      return queries.invalidateQueries({ queryKey: ['operators'] });
    },
  });
  if (merchant.status !== 'active') return null;
  return (
    <section className="card section" aria-labelledby="invite-title">
      <h2 id="invite-title">{texts.title}</h2>
      <Form
        error={invite.error}
        fields={['email', 'role']}
        onSubmit={() => invite.mutate()}
        actions={
          <>
            <Button type="submit" kind="main" isBusy={invite.isPending}>
              {texts.action}
            </Button>
            <span role="status">{invite.isSuccess ? texts.sent : ''}</span>
          </>
        }
      >
        <TextField
          label={texts.email}
          hint={texts.emailHint}
          type="email"
          maxLength={254}
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fieldError(invite.error, 'email')}
        />
        <SelectField
          label={texts.role}
          choices={roleChoices()}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as OperatorRole)}
        />
      </Form>
    </section>
  );
});
