import type { Recipient, RecipientVersion } from '@payassent/sdk';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { Moment } from '../../ui/facts.tsx';
import { ActivateVersion } from './activate-version.tsx';
import { VersionStatus } from './statuses.tsx';
import { VersionFacts } from './version-facts.tsx';

const texts = recipientTexts.version;

export function VersionCard({ recipient, version }: { recipient: Recipient; version: RecipientVersion }) {
  const standsAgain = version.status === 'active' && version.suspended_at !== null;
  const canBeActivated =
    recipient.status !== 'archived' &&
    (version.status === 'created' || version.status === 'verified' || standsAgain);
  const moments = [
    [texts.created, version.created_at],
    [texts.verified, version.verified_at],
    [texts.activated, version.activated_at],
    [texts.suspended, version.suspended_at],
  ] as const;
  return (
    <article className="card stack" aria-label={texts.title(version.number)}>
      <div className="row">
        <h3>{texts.title(version.number)}</h3>
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
      {version.binding === null ? null : <p className="soft">{texts.bindings[version.binding]}</p>}
      {canBeActivated ? <ActivateVersion recipient={recipient} version={version} /> : null}
    </article>
  );
}
