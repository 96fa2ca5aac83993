import { canonicalJson, evidenceDigest, evidenceInput } from '@payassent/protocol';
import {
  type Domain,
  type Evidence,
  isApiError,
  type Recipient,
  type RecipientVersion,
} from '@payassent/sdk';
import { useEffect, useRef, useState } from 'react';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Note } from '../../ui/notes.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import { updateMerchant } from '../session.ts';
import { evidenceFacts } from './evidence-facts.ts';
import { PendingChoice } from './pending-requests.tsx';
import { VersionFacts } from './version-facts.tsx';

const texts = recipientTexts.evidence;

interface EvidenceProps {
  recipient: Recipient;
  version: RecipientVersion;
  evidence: Evidence;
  domain: Domain;
  /** The evidence can no longer activate: it must be made again. */
  onStale(): void;
}

/** What was proved, recomputed here and now: the person who activates sees that the digest stands for the facts shown. */
export function EvidenceView({ recipient, version, evidence, domain, onStale }: EvidenceProps) {
  const facts = evidenceFacts(version, evidence, domain);
  const isSame = evidenceDigest(facts) === evidence.evidence_digest;
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.focus(), []);
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
  const { action, title, body, confirm } = recipientTexts.activate;
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
    await queries.invalidateQueries({ queryKey: ['recipients'] });
  };
  return (
    <div>
      <ConfirmButton label={action} title={title} confirmLabel={confirm} kind="main" run={activate}>
        <p>{body}</p>
        <VersionFacts version={version} />
        <PendingChoice
          recipientId={recipient.recipient_id}
          isRejecting={isRejecting}
          onChange={setRejecting}
        />
      </ConfirmButton>
    </div>
  );
}
