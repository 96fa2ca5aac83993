import { networkRow } from '@payassent/protocol';
import type { Recipient, RecipientVersion, RecipientWithVersions } from '@payassent/sdk';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { homeTexts } from '../../texts/portal/home.ts';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { CopyButton } from '../../ui/button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { offered } from '../shell/offered.tsx';
import { ActivateVersion } from './activate-version.tsx';
import {
  PendingChoice,
  PendingRequests,
  RecipientStatus,
  useRecipient,
  VersionFacts,
  VersionStatus,
} from './recipient.tsx';

const texts = recipientTexts.detail;

export function RecipientPage({ id }: { id: string }) {
  const query = useRecipient(id);
  const name = query.data?.recipient.name;
  return (
    <Page
      title={name === undefined ? recipientTexts.title : showHidden(name)}
      actions={<Link href="/recipients">{texts.back}</Link>}
    >
      <QueryView query={query}>{(found) => <RecipientView found={found} />}</QueryView>
    </Page>
  );
}

function RecipientView({
  found: { recipient, recipient_versions: versions },
}: {
  found: RecipientWithVersions;
}) {
  const active = versions.find((version) => version.recipient_version_id === recipient.active_version_id);
  const isArchived = recipient.status === 'archived';
  const heading = useFocusOnChange(recipient.active_version_id);
  return (
    <>
      <section className="card stack">
        <Facts
          facts={[
            [recipientTexts.heads.status, <RecipientStatus key="status" status={recipient.status} />],
            [
              texts.id,
              <span key="id" className="row">
                <code>{recipient.recipient_id}</code>
                <CopyButton value={recipient.recipient_id} name={texts.id} />
              </span>,
            ],
          ]}
        />
        {isArchived ? null : <RenameRecipient recipient={recipient} />}
      </section>
      {isArchived ? <Note kind="warn">{texts.archivedNote}</Note> : null}
      {recipient.status === 'suspended' ? <Note kind="warn">{texts.suspendedNote}</Note> : null}
      <section className="section" aria-labelledby="payments-go">
        <h2 id="payments-go" ref={heading} tabIndex={-1}>
          {texts.now}
        </h2>
        {active === undefined || recipient.status !== 'active' ? (
          <Note>{nowhereNote(recipient.status)}</Note>
        ) : (
          <>
            <div className="pinned">
              <VersionFacts version={active} />
            </div>
            {networkRow(active.network).isTestnet ? <TryIt /> : null}
          </>
        )}
      </section>
      <PendingRequests recipient={recipient} />
      <section className="section" aria-labelledby="versions">
        <div className="row-between">
          <h2 id="versions">{texts.history}</h2>
          {isArchived ? null : <RecipientActions recipient={recipient} />}
        </div>
        {versions.map((version) => (
          <VersionCard key={version.recipient_version_id} recipient={recipient} version={version} />
        ))}
      </section>
    </>
  );
}

/** Offered as soon as the payee can be paid. */
const TryIt = offered('POST /v1/agents', function TryIt() {
  return (
    <div>
      <Link href="/test-request" className="button" data-kind="main">
        {homeTexts.setup.steps.test.title}
      </Link>
    </div>
  );
});

function nowhereNote(status: Recipient['status']): string {
  if (status === 'archived') return texts.archivedNote;
  return status === 'suspended' ? texts.suspendedNote : texts.nowhere;
}

/** The button that activated is gone with its step: the focus moves to what it changed. */
function useFocusOnChange(value: string | null) {
  const heading = useRef<HTMLHeadingElement>(null);
  const former = useRef(value);
  useEffect(() => {
    if (former.current !== value) heading.current?.focus();
    former.current = value;
  }, [value]);
  return heading;
}

const RecipientActions = offered(
  'PATCH /v1/recipients/{}',
  function RecipientActions({ recipient }: { recipient: Recipient }) {
    const [isRejecting, setRejecting] = useState(false);
    const archive = async () => {
      await merchantClient.recipients.update(recipient.recipient_id, {
        status: 'archived',
        pending: isRejecting ? 'reject' : 'keep',
        version: recipient.version,
      });
      await refresh('recipients');
    };
    return (
      <div className="row">
        <Link href={`/recipients/${recipient.recipient_id}/new-version`} className="button">
          {texts.newVersion}
        </Link>
        <ConfirmButton texts={recipientTexts.archive} run={archive}>
          <PendingChoice
            recipientId={recipient.recipient_id}
            isRejecting={isRejecting}
            onChange={setRejecting}
          />
        </ConfirmButton>
      </div>
    );
  },
);

const renameTexts = recipientTexts.rename;

/** The label changes for the merchant only: what customers see is a fact of each version. */
const RenameRecipient = offered(
  'PATCH /v1/recipients/{}',
  function RenameRecipient({ recipient }: { recipient: Recipient }) {
    const [name, setName] = useState(recipient.name);
    const rename = async () => {
      const change = { name: name.trim(), version: recipient.version };
      await merchantClient.recipients.update(recipient.recipient_id, change);
      await refresh('recipients');
    };
    return (
      <details className="disclosure">
        <summary>{renameTexts.open}</summary>
        <Form action={renameTexts.save} done={renameTexts.saved} run={rename}>
          <NameField label={renameTexts.label} hint={renameTexts.hint} value={name} onValue={setName} />
        </Form>
      </details>
    );
  },
);

const versionTexts = recipientTexts.version;

function VersionCard({ recipient, version }: { recipient: Recipient; version: RecipientVersion }) {
  const standsAgain = version.status === 'active' && version.suspended_at !== null;
  const canBeActivated =
    recipient.status !== 'archived' &&
    (version.status === 'created' || version.status === 'verified' || standsAgain);
  const moments = [
    [versionTexts.created, version.created_at],
    [versionTexts.verified, version.verified_at],
    [versionTexts.activated, version.activated_at],
    [versionTexts.suspended, version.suspended_at],
  ] as const;
  return (
    <article className="card stack" aria-label={versionTexts.title(version.number)}>
      <div className="row">
        <h3>{versionTexts.title(version.number)}</h3>
        <VersionStatus status={version.status} />
      </div>
      <VersionFacts version={version} />
      <p className="moments">
        {moments.map(([name, moment]) =>
          moment === null ? null : (
            <span key={name}>
              {name} <Moment>{moment}</Moment>
            </span>
          ),
        )}
      </p>
      {version.binding === null ? null : <p className="soft">{versionTexts.bindings[version.binding]}</p>}
      {canBeActivated ? <ActivateVersion recipient={recipient} version={version} /> : null}
    </article>
  );
}
