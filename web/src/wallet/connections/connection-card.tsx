import type { Connection } from '@payassent/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { connections, invitations } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Badge, type Tone } from '../../ui/notes.tsx';
import { PartyName, partyNameText } from '../../ui/party-name.tsx';
import { ScopeList } from '../invitations/requester-review.tsx';
import { EditNickname, Nickname } from '../nicknames/nickname.tsx';
import { useWallet } from '../session/session.tsx';
import { useAct } from '../use-act.ts';
import { FormerNames } from './former-names.tsx';

const TONES: Record<Connection['status'], Tone> = { active: 'good', paused: 'warn', revoked: 'plain' };

export function ConnectionCard({ connection }: { connection: Connection }) {
  const { agent, merchant, status } = connection;
  return (
    <article className="card stack" aria-label={partyNameText(agent.name)}>
      <div className="row-between wallet-name">
        <h2>
          <PartyName inline>{agent.name}</PartyName>
        </h2>
        <Badge tone={TONES[status]}>{connections.status[status]}</Badge>
      </div>
      <Nickname id={connection.connection_id} />
      {status === 'revoked' ? null : <FormerNames connection={connection} />}
      <Facts
        facts={[
          [invitations.merchant, <PartyName key="merchant">{merchant.name}</PartyName>],
          [
            invitations.domain,
            merchant.verified_domain === null ? (
              invitations.unverified
            ) : (
              <span className="mono" key="domain">
                {merchant.verified_domain}
              </span>
            ),
          ],
          [connections.may, <ScopeList key="scopes" scopes={connection.scopes} />],
          [connections.since, <Moment key="since">{connection.created_at}</Moment>],
        ]}
      />
      <EditNickname id={connection.connection_id} trueName={partyNameText(agent.name)} />
      {status === 'revoked' ? null : <Actions connection={connection} />}
    </article>
  );
}

function Actions({ connection: { connection_id, status } }: { connection: Connection }) {
  const client = useWallet();
  const cache = useQueryClient();
  const { isBusy, error, run } = useAct();
  const [isRotated, setRotated] = useState(false);
  const refresh = () => cache.invalidateQueries();
  const toggle = () =>
    run(async () => {
      await (status === 'active'
        ? client.connections.pause(connection_id)
        : client.connections.resume(connection_id));
      await refresh();
    });
  const rotate = async () => {
    await client.connections.rotateToken(connection_id);
    setRotated(true);
  };
  const revoke = async () => {
    await client.connections.revoke(connection_id);
    await refresh();
  };
  const { rotate: rotateTexts, revoke: revokeTexts } = connections;
  return (
    <>
      {status === 'paused' ? <p className="soft">{connections.pausedExplains}</p> : null}
      {error === undefined ? null : <ErrorNote error={error} />}
      <p role="status">{isRotated ? rotateTexts.done : ''}</p>
      <div className="row">
        <Button isBusy={isBusy} onClick={toggle}>
          {status === 'active' ? connections.pause : connections.resume}
        </Button>
        <ConfirmButton
          kind="usual"
          label={rotateTexts.action}
          title={rotateTexts.title}
          confirmLabel={rotateTexts.confirm}
          run={rotate}
        >
          <p>{rotateTexts.text}</p>
        </ConfirmButton>
        <ConfirmButton
          label={revokeTexts.action}
          title={revokeTexts.title}
          confirmLabel={revokeTexts.confirm}
          run={revoke}
        >
          <ul className="plain-list">
            {revokeTexts.consequences.map((consequence) => (
              <li key={consequence}>{consequence}</li>
            ))}
          </ul>
        </ConfirmButton>
      </div>
    </>
  );
}
