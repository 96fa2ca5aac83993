import type { DomainMethod } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { domainTexts } from '../../texts/portal/domains.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { queries } from '../../ui/queries.ts';
import { merchantClient } from '../client.ts';
import { Form } from '../shell/form.tsx';
import { hostOf } from './host-of.ts';

const texts = domainTexts.add;

const METHODS: readonly DomainMethod[] = ['dns', 'https'];
const methodChoices = () => METHODS.map((value) => ({ value, label: domainTexts.methods[value] }));

export function AddDomainForm() {
  const [domain, setDomain] = useState('');
  const host = hostOf(domain);
  const [method, setMethod] = useState<DomainMethod>('dns');
  const [, navigate] = useLocation();
  const register = useMutation({
    mutationFn: () => merchantClient.domains.create({ domain: host, method }),
    onSuccess: async (registered) => {
      queries.setQueryData(['domains', registered.domain.domain_id], registered);
      navigate(`/domains/${registered.domain.domain_id}`);
    },
  });
  return (
    <Form
      error={register.error}
      fields={['domain']}
      onSubmit={() => register.mutate()}
      actions={
        <Button type="submit" kind="main" isBusy={register.isPending}>
          {texts.action}
        </Button>
      }
    >
      <TextField
        label={texts.domain}
        hint={texts.domainHint}
        error={fieldError(register.error, 'domain')}
        placeholder={texts.placeholder}
        autoCapitalize="none"
        spellCheck={false}
        required
        value={domain}
        onChange={(event) => setDomain(event.target.value)}
      />
      <p className="soft" role="status">
        {host === '' || host === domain ? '' : texts.registered(host)}
      </p>
      <SelectField
        label={texts.method}
        hint={texts.methodHint}
        choices={methodChoices()}
        value={method}
        onChange={(event) => setMethod(METHODS.find((known) => known === event.target.value) ?? 'dns')}
      />
    </Form>
  );
}
