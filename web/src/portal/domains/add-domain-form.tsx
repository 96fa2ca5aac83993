import type { DomainMethod } from '@payassent/sdk';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { domainTexts } from '../../texts/portal/domains.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { queries } from '../../ui/queries.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { merchantClient } from '../client.ts';
import { hostOf } from './host-of.ts';

const texts = domainTexts.add;

export function AddDomainForm() {
  const [domain, setDomain] = useState('');
  const host = hostOf(domain);
  const [method, setMethod] = useState<DomainMethod>('dns');
  const [, navigate] = useLocation();
  const register = async () => {
    const registered = await merchantClient.domains.create({ domain: host, method });
    queries.setQueryData(['domains', registered.domain.domain_id], registered);
    navigate(`/domains/${registered.domain.domain_id}`);
  };
  return (
    <Form action={texts.action} run={register}>
      <TextField
        label={texts.domain}
        hint={texts.domainHint}
        name="domain"
        placeholder={texts.placeholder}
        autoCapitalize="none"
        spellCheck={false}
        required
        value={domain}
        onValue={setDomain}
      />
      <p className="soft" role="status">
        {host === '' || host === domain ? '' : texts.registered(host)}
      </p>
      <SelectField
        label={texts.method}
        hint={texts.methodHint}
        choices={domainTexts.methods}
        value={method}
        onValue={setMethod}
      />
    </Form>
  );
}
