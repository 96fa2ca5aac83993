import { networkRow } from '@payassent/protocol';
import type { Recipient, RecipientWithVersions } from '@payassent/sdk';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { homeTexts } from '../../texts/portal/home.ts';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import type { PageParams } from '../pages.ts';
import { offered } from '../shell/offered.tsx';
import { PendingChoice, PendingRequests } from './pending-requests.tsx';
import { RenameRecipient } from './rename-recipient.tsx';
import { RecipientStatus } from './statuses.tsx';
import { useRecipient } from './use-recipient.ts';
import { VersionCard } from './version-card.tsx';
import { VersionFacts } from './version-facts.tsx';

const texts = recipientTexts.detail;

export function RecipientPage({ params }: { params: PageParams }) {
  const query = useRecipient(params['id'] ?? '');
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

/** What can be paid now can be tried now. */
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

/** The button that activated is gone with its step: the person who pressed it is taken to what it changed. */
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
    const { action, title, body, confirm } = recipientTexts.archive;
    const [isRejecting, setRejecting] = useState(false);
    const archive = async () => {
      await merchantClient.recipients.update(recipient.recipient_id, {
        status: 'archived',
        pending: isRejecting ? 'reject' : 'keep',
        version: recipient.version,
      });
      await queries.invalidateQueries({ queryKey: ['recipients'] });
    };
    return (
      <div className="row">
        <Link href={`/recipients/${recipient.recipient_id}/new-version`} className="button">
          {texts.newVersion}
        </Link>
        <ConfirmButton label={action} title={title} confirmLabel={confirm} run={archive}>
          <p>{body}</p>
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
