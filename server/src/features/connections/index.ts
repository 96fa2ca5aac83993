// How an agent and a wallet connect (Connect Keys, invitations, pairing), and how the connection ends. Wallets import
// `revocation`; the rest is private. A connection exists only after its wallet has approved it, with exactly the
// approved scopes.

import { type AgentSuspension, AppError, refuseSuspendedAgent } from '../../errors.ts';
import { headerValues } from '../../http/headers.ts';
import type { Authenticators } from '../../http/kernel.ts';
import type { RetentionRule } from '../../jobs/retention.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { findConnectionToken, judgeConnectionToken, markFirstUse } from '../callers/connection-token.ts';
import type { LastSeen } from '../callers/last-seen.ts';
import { proveSender, purgeProofs } from '../callers/sender-proof.ts';
import type { Feature } from '../feature.ts';
import { forgetAfter } from '../forget-after.ts';
import { purgeConnectKeys } from './connect-keys.ts';
import { revocationJob } from './jobs.ts';
import { purgeSessions } from './pairing-sql.ts';
import { connectionRoutes, connectKeyRoutes, invitationRoutes, pairingRoutes } from './routes.ts';

export const connectionsFeature = ({ lastSeen }: { lastSeen: LastSeen }): Feature => ({
  name: 'connections',
  routes: [...connectKeyRoutes, ...invitationRoutes, ...pairingRoutes, ...connectionRoutes(lastSeen)],
  authenticators: { claim: authenticateClaim, connection: authenticateConnection },
  jobs: [revocationJob],
  retention: connectionRetention,
});

interface ClaimRow extends AgentSuspension {
  connect_invitation_id: string;
  merchant_id: string;
  agent_id: string;
  status: string;
  agent_status: string;
}

/** Still readable after rejection and expiry, so that the agent learns how it ended; one exchange ends it for good. */
const authenticateClaim: Authenticators['claim'] = async ({ db }, { tokenHash }) => {
  const [row] = await db<ClaimRow[]>`
    select i.connect_invitation_id, i.merchant_id, i.agent_id, i.status, a.status as agent_status,
           a.suspended_by_installation_at, a.merchant_suspended_at
    from connect_invitations i join agents a on a.agent_id = i.agent_id
    where i.claim_token_hash = ${tokenHash}`;
  if (!row) throw new AppError('unauthenticated');
  if (row.status === 'exchanged' || row.agent_status === 'revoked') throw new AppError('token_revoked');
  refuseSuspendedAgent(row);
  return {
    kind: 'claim',
    merchantId: row.merchant_id,
    agentId: row.agent_id,
    invitationId: row.connect_invitation_id,
    tokenHash,
  };
};

/** Invitations before keys: a key stays as long as its invitation. */
export const connectionRetention: readonly RetentionRule[] = [
  forgetAfter(DAY_MS, { name: 'invitations', table: 'connect_invitations', key: 'connect_invitation_id' }),
  {
    name: 'connect keys',
    tables: ['connect_keys'],
    purge: (db, now, limit) => purgeConnectKeys(db, addMs(now, -DAY_MS), limit),
  },
  { name: 'sender proofs', tables: ['connection_proofs'], purge: purgeProofs },
  {
    name: 'pairing sessions',
    tables: ['pairing_sessions'],
    purge: (db, now, limit) => purgeSessions(db, addMs(now, -DAY_MS), limit),
  },
];

export const authenticateConnection: Authenticators['connection'] = async (
  context,
  presented,
  now,
  { request, limiter },
) => {
  const { db, config } = context;
  const row = await findConnectionToken(db, presented.tokenHash, now);
  const principal = judgeConnectionToken(row);
  // Before the first use is recorded: a token that is shown without its key has not been used.
  const proofs = headerValues(request, 'dpop');
  if (row && (row.require_proof || proofs.length > 0)) {
    const [path = ''] = (request.url ?? '').split('?');
    const call = {
      method: request.method ?? '',
      path,
      baseUrl: config.baseUrl,
      proofs,
      countSignature: () => limiter.take('proofs', row.connection_id, now),
    };
    await proveSender(db, presented, row.agent_id, call, now);
  }
  if (row?.first_used_at || (await markFirstUse(db, presented.tokenHash, now))) return principal;
  return judgeConnectionToken(await findConnectionToken(db, presented.tokenHash, now));
};
