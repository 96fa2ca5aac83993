import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { addMs } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import * as sql from './connect-key-sql.ts';
import type { ConnectKeyRow } from './view.ts';

export async function createConnectKey(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  cap: number,
): Promise<{ connectKey: string; row: ConnectKeyRow }> {
  await holdWallet(tx, principal, cap < Infinity ? 'counting' : 'sharing');
  if (cap < Infinity && (await sql.countOpenConnectKeys(tx, principal.walletId, act.now)) >= cap)
    throw new AppError('limit_reached', {
      message: `A wallet has at most ${cap} unclaimed Connect Keys: withdraw one, or wait until one expires.`,
      details: { limit: cap },
    });
  const connectKey = act.newToken('connect_key');
  const row: ConnectKeyRow = {
    connect_key_id: act.newId('cky'),
    status: 'issued',
    created_at: act.now,
    expires_at: addMs(act.now, sql.CONNECT_KEY_LIFE_MS),
  };
  await sql.insertConnectKey(tx, principal.walletId, { ...row, keyHash: hashSecret(connectKey) });
  await recordKeyAct(tx, act, principal, 'connect_key.created', row.connect_key_id);
  return { connectKey, row };
}

/** A key that was claimed cannot be taken back: the invitation it became is what the user rejects. */
export async function withdrawConnectKey(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  connectKeyId: string,
): Promise<ConnectKeyRow> {
  const changed = await sql.withdrawConnectKey(tx, principal.walletId, connectKeyId, act.now);
  const row = await sql.findConnectKey(tx, principal.walletId, connectKeyId, act.now);
  if (!row) throw notFound();
  if (row.status === 'used') {
    throw new AppError('connect_key_used', {
      message: 'The Connect Key has been claimed; reject its invitation instead.',
    });
  }
  if (changed) await recordKeyAct(tx, act, principal, 'connect_key.withdrawn', connectKeyId);
  return row;
}

async function recordKeyAct(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  type: 'connect_key.created' | 'connect_key.withdrawn',
  id: string,
): Promise<void> {
  await recordAudit(tx, act, {
    merchantId: null,
    type,
    actor: auditActor(principal),
    target: { type: 'connect_key', id },
    details: { wallet_id: principal.walletId },
  });
}
