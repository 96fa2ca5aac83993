import {
  canonicalJson,
  type EvidenceFacts,
  evidenceDigest,
  evidenceInput,
  payeeRecordName,
  payeeRecordsUrl,
  VERSION_FACT_NAMES,
} from '@payassent/protocol';
import {
  type Domain,
  type Evidence,
  isApiError,
  type Recipient,
  type RecipientVersion,
} from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Copied, CopyButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/notes.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { merchantClient } from '../client.ts';
import { ProofFailure } from '../domains/proof-failure.tsx';
import { updateMerchant } from '../session.ts';
import { offered } from '../shell/offered.tsx';
import { PendingChoice, VersionFacts } from './recipient.tsx';

const texts = recipientTexts.evidence;

interface VersionProps {
  recipient: Recipient;
  version: RecipientVersion;
}

/**
 * Two steps: the service queries the domain and stores the payee proof; the team member reviews the proof and
 * activates.
 */
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
  const verify = async () => {
    const { evidence } = await merchantClient.recipients.verify(recipient.recipient_id, {
      recipient_version_id: version.recipient_version_id,
      type: 'domain_proof',
      source_id: domain.domain_id,
      version: recipient.version,
    });
    onMade({ evidence, domain });
    await refresh('recipients');
  };
  return (
    <Form action={texts.verify} busy={texts.busy} run={verify} problem={proofProblem}>
      <SelectField
        label={texts.domain}
        choices={domains.map(({ domain_id, domain: name }) => ({ value: domain_id, label: name }))}
        value={domain.domain_id}
        onValue={setDomainId}
      />
      <PayeeRecord version={version} domain={domain} />
    </Form>
  );
}

function proofProblem(error: unknown) {
  if (!isApiError(error, 'domain_proof_failed')) return undefined;
  return (
    <>
      <ErrorNote error={error} />
      <ProofFailure details={error.details} />
    </>
  );
}

interface EvidenceProps {
  recipient: Recipient;
  version: RecipientVersion;
  evidence: Evidence;
  domain: Domain;
  /** The payee proof can no longer activate the version: a new one is needed. */
  onStale(): void;
}

/**
 * The payee proof, recomputed in the browser: the team member who activates sees that the digest covers the details
 * shown.
 */
function EvidenceView({ recipient, version, evidence, domain, onStale }: EvidenceProps) {
  const facts = evidenceFacts(version, evidence, domain);
  const isSame = evidenceDigest(facts) === evidence.evidence_digest;
  const note = useRef<HTMLParagraphElement>(null);
  // Before paint: the page must not move under a pointer on its way to Activate.
  useLayoutEffect(() => note.current?.focus(), []);
  return (
    <>
      <p ref={note} tabIndex={-1}>
        <strong>{texts.made}</strong>
      </p>
      <Facts
        facts={[
          [texts.digest, <code key="digest">{evidence.evidence_digest}</code>],
          [texts.id, <code key="id">{evidence.evidence_id}</code>],
          [texts.source, domain.domain],
          [texts.binding, texts.bindings[evidence.binding]],
          [texts.until, <Moment key="until">{evidence.expires_at}</Moment>],
        ]}
      />
      <Note kind={isSame ? 'good' : 'bad'}>{isSame ? texts.same : texts.different}</Note>
      <Recompute line={canonicalJson(evidenceInput(facts))} />
      {isSame ? (
        <Activate recipient={recipient} version={version} evidence={evidence} onStale={onStale} />
      ) : null}
    </>
  );
}

function Recompute({ line }: { line: string }) {
  const command = `printf '%s' '${line.replaceAll("'", `'\\''`)}' | sha256sum`;
  return (
    <details className="stack-tight">
      <summary>{texts.how}</summary>
      <div className="stack-tight">
        <p className="soft">{texts.howLead}</p>
        <code className="block-code">{line}</code>
        <CopyButton value={line} name={texts.line} />
        <p className="soft">{texts.howCommand}</p>
        <code className="block-code">{command}</code>
        <CopyButton value={command} name={texts.command} />
        <p>
          <a href="/docs" target="_blank" rel="noreferrer">
            {texts.reference}
          </a>
        </p>
      </div>
    </details>
  );
}

function Activate({ recipient, version, evidence, onStale }: Omit<EvidenceProps, 'domain'>) {
  const [isRejecting, setRejecting] = useState(false);
  const activate = async () => {
    const { evidence_id, evidence_digest } = evidence;
    const pending = isRejecting ? 'reject' : 'keep';
    const input = { evidence_id, evidence_digest, pending, version: recipient.version } as const;
    try {
      await merchantClient.recipients.activate(recipient.recipient_id, version.recipient_version_id, input);
    } catch (error) {
      if (isApiError(error, 'evidence_expired') || isApiError(error, 'domain_not_verified')) onStale();
      throw error;
    }
    // From the first payee on that its domain names, the organization requires it of all.
    if (evidence.binding === 'payee') updateMerchant((await merchantClient.organization.get()).merchant);
    await refresh('recipients');
  };
  return (
    <ConfirmButton texts={recipientTexts.activate} kind="main" run={activate}>
      <VersionFacts version={version} />
      <PendingChoice recipientId={recipient.recipient_id} isRejecting={isRejecting} onChange={setRejecting} />
    </ConfirmButton>
  );
}

/** What the digest covers: the details that the version has, and the proof. */
function evidenceFacts(version: RecipientVersion, evidence: Evidence, domain: Domain): EvidenceFacts {
  const present = VERSION_FACT_NAMES.filter((name) => version[name] !== null).map((name) => [
    name,
    version[name],
  ]);
  return {
    ...(Object.fromEntries(present) as Pick<RecipientVersion, (typeof VERSION_FACT_NAMES)[number]>),
    type: evidence.type,
    domain: domain.domain,
    method: domain.method,
    verified_at: evidence.created_at,
    binding: evidence.binding,
  };
}

const bindingTexts = recipientTexts.binding;

/**
 * What to publish so that the domain itself names this payee, not only the organization; unfolded, as it is the next
 * step.
 */
function PayeeRecord({ version, domain }: { version: RecipientVersion; domain: Domain }) {
  const isDns = domain.method === 'dns';
  const place = isDns ? payeeRecordName(domain.domain) : payeeRecordsUrl(domain.domain);
  return (
    <details className="stack-tight" open>
      <summary>{bindingTexts.title}</summary>
      <div className="stack-tight">
        <p className="soft">{isDns ? bindingTexts.leadDns : bindingTexts.leadHttps}</p>
        <Facts
          facts={[
            [
              isDns ? bindingTexts.name : bindingTexts.file,
              <Copied key="place" value={place} name={bindingTexts.name} />,
            ],
            [
              bindingTexts.value,
              <Copied key="value" value={version.payee_record} name={bindingTexts.value} />,
            ],
          ]}
        />
        <p className="soft">{bindingTexts.stays}</p>
      </div>
    </details>
  );
}
