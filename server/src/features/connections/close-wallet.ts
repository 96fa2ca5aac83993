import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { withdrawAllConnectKeys } from './connect-key-sql.ts';
import { rejectInvitationsOfWallet } from './invitation-sql.ts';
import { enqueueWalletRevocations } from './revocation-sql.ts';

/**
 * The last device is gone: whatever could still become a connection is closed, and what is connected goes on the
 * list of revocations. The caller holds the wallet and calls `settleWallet` after the commit.
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
  await enqueueWalletRevocations(tx, walletId, act.now);
}
