import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { jobTopic } from '../../jobs/job.ts';
import { AGENT_REVOCATION_JOB } from '../agents/usable.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { connectionTopic } from '../callers/topics.ts';
import { withdrawAllConnectKeys } from './connect-key-sql.ts';
import { rejectInvitationsOfWallet } from './invitation-sql.ts';
import { endConnectionsOfWallet } from './revocation-sql.ts';

/**
 * The last device is gone: whatever could still become a connection is closed, and every connection is revoked. The
 * caller holds the wallet and calls `settleWallet` after the commit.
 */
export async function closeWallet(tx: Tx, act: Act, principal: WalletPrincipal): Promise<void> {
  const { walletId } = principal;
  const actor = auditActor(principal);
  const keyIds = await withdrawAllConnectKeys(tx, walletId);
  const invitations = await rejectInvitationsOfWallet(tx, walletId, act.now);
  await recordAudit(
    tx,
    act,
    ...keyIds.map((id) => ({
      merchantId: null,
      type: 'connect_key.withdrawn' as const,
      actor,
      target: { type: 'connect_key' as const, id },
      details: { wallet_id: walletId, cause: 'last_device_deleted' },
    })),
    ...invitations.map((invitation) => ({
      merchantId: invitation.merchant_id,
      type: 'connect_invitation.rejected' as const,
      actor,
      target: { type: 'connect_invitation' as const, id: invitation.connect_invitation_id },
      details: { cause: 'last_device_deleted' },
    })),
  );
  const connectionIds = await endConnectionsOfWallet(tx, walletId, act.now);
  tx.afterCommit(() => act.announce(...connectionIds.map(connectionTopic), jobTopic(AGENT_REVOCATION_JOB)));
}
