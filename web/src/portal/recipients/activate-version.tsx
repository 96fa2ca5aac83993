import {
  type Domain,
  type Evidence,
  isApiError,
  type Recipient,
  type RecipientVersion,
} from '@payassent/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Note } from '../../ui/notes.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import { ProofFailure } from '../domains/proof-failure.tsx';
import { offered } from '../shell/offered.tsx';
import { EvidenceView } from './evidence-view.tsx';
import { PayeeRecord } from './payee-record.tsx';

const texts = recipientTexts.evidence;

interface VersionProps {
  recipient: Recipient;
  version: RecipientVersion;
}

/** Two steps: the domain is looked up now and leaves evidence; the evidence is looked at and activates. */
export const ActivateVersion = offered(
  'POST /v1/recipients/{}/versions/{}/activate',
  function ActivateVersion({ recipient, version }: VersionProps) {
    const [made, setMade] = useState<{ evidence: Evidence; domain: Domain }>();
    const domains = useQuery({
      queryKey: ['domains', 'verified'],
      queryFn: async ({ signal }) => {
        const verified: Domain[] = [];
        for await (const domain of merchantClient.domains.each({}, { signal }))
          if (domain.status === 'verified') verified.push(domain);
        return verified;
      },
    });
    return (
      <section className="section step-box" aria-label={texts.title}>
        <h4>{texts.title}</h4>
        {made === undefined ? (
          <>
            <p className="soft">{version.status === 'verified' ? texts.again : texts.lead}</p>
            <QueryView query={domains}>
              {([first, ...others]) =>
                first === undefined ? (
                  <NoDomain />
                ) : (
                  <VerifyForm
                    recipient={recipient}
                    version={version}
                    domains={[first, ...others]}
                    onMade={setMade}
                  />
                )
              }
            </QueryView>
          </>
        ) : (
          <EvidenceView
            recipient={recipient}
            version={version}
            {...made}
            onStale={() => setMade(undefined)}
          />
        )}
      </section>
    );
  },
);

function NoDomain() {
  return (
    <Note kind="warn">
      <span>{texts.noDomain}</span>
      <Link href="/domains">{texts.toDomains}</Link>
    </Note>
  );
}

interface VerifyFormProps extends VersionProps {
  domains: readonly [Domain, ...Domain[]];
  onMade(made: { evidence: Evidence; domain: Domain }): void;
}

function VerifyForm({ recipient, version, domains, onMade }: VerifyFormProps) {
  const [domainId, setDomainId] = useState(domains[0].domain_id);
  const domain = domains.find((each) => each.domain_id === domainId) ?? domains[0];
  const verify = useMutation({
    mutationFn: () =>
      merchantClient.recipients.verify(recipient.recipient_id, {
        recipient_version_id: version.recipient_version_id,
        type: 'domain_proof',
        source_id: domain.domain_id,
        version: recipient.version,
      }),
    onSuccess: async ({ evidence }) => {
      onMade({ evidence, domain });
      await queries.invalidateQueries({ queryKey: ['recipients', recipient.recipient_id] });
    },
  });
  return (
    <div className="form">
      <SelectField
        label={texts.domain}
        choices={domains.map(({ domain_id, domain: name }) => ({ value: domain_id, label: name }))}
        value={domain.domain_id}
        onChange={(event) => setDomainId(event.target.value)}
      />
      <PayeeRecord version={version} domain={domain} />
      {verify.isError ? <ErrorNote error={verify.error} /> : null}
      {isApiError(verify.error, 'domain_proof_failed') ? (
        <ProofFailure details={verify.error.details} />
      ) : null}
      <div>
        <Button kind="main" isBusy={verify.isPending} onClick={() => verify.mutate()}>
          {verify.isPending ? texts.busy : texts.verify}
        </Button>
      </div>
    </div>
  );
}
