import type { Act } from '../../act.ts';
import type { Database, Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { AppError, limitReached, notFound } from '../../errors.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import { newestFirst, type PageRead } from '../page.ts';
import type { ConnectKeyRow } from './view.ts';

export async function createConnectKey(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  cap: number,
): Promise<{ connectKey: string; row: ConnectKeyRow }> {
  await holdWallet(tx, principal, cap < Infinity ? 'counting' : 'sharing');
  if (cap < Infinity && (await countOpenConnectKeys(tx, principal.walletId, act.now)) >= cap)
    throw limitReached(
      `A wallet has at most ${cap} unclaimed Connect Keys: withdraw one, or wait until one expires.`,
      cap,
    );
  const connectKey = act.newToken('connect_key');
  const row: ConnectKeyRow = {
    connect_key_id: act.newId('cky'),
    status: 'issued',
    created_at: act.now,
    expires_at: addMs(act.now, CONNECT_KEY_LIFE_MS),
  };
  await insertConnectKey(tx, principal.walletId, { ...row, keyHash: hashSecret(connectKey) });
  await recordKeyAct(tx, act, principal, 'connect_key.created', row.connect_key_id);
  return { connectKey, row };
}

/** A claimed key cannot be withdrawn: the customer rejects the invitation it became. */
export async function withdrawConnectKey(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  connectKeyId: string,
): Promise<ConnectKeyRow> {
  const changed = await markWithdrawn(tx, principal.walletId, connectKeyId, act.now);
  const row = await findConnectKey(tx, principal.walletId, connectKeyId, act.now);
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

const CONNECT_KEY_LIFE_MS = 10 * MINUTE_MS;

/** The clock needs no sweeper: a key past its time reads expired. */
function columns(sql: Sql, now: Date) {
  return sql`
    connect_key_id, wallet_id, created_at, expires_at,
    case when status = 'issued' and expires_at < ${now} then 'expired' else status end as status`;
}

async function insertConnectKey(tx: Tx, walletId: string, key: ConnectKeyRow & { keyHash: string }) {
  await tx`
    insert into connect_keys (connect_key_id, key_hash, wallet_id, status, created_at, expires_at)
    values (${key.connect_key_id}, ${key.keyHash}, ${walletId}, ${key.status}, ${key.created_at}, ${key.expires_at})`;
}

/** Those that can still be claimed. Older ones have expired, so few rows are read. */
async function countOpenConnectKeys(tx: Tx, walletId: string, now: Date): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from connect_keys
    where wallet_id = ${walletId} and created_at >= ${addMs(now, -CONNECT_KEY_LIFE_MS)}
      and status = 'issued' and expires_at >= ${now}`;
  return row?.count ?? 0;
}

export function listConnectKeys(
  db: Sql,
  walletId: string,
  now: Date,
  page: PageRead,
): Promise<ConnectKeyRow[]> {
  return db<ConnectKeyRow[]>`
    select ${columns(db, now)} from connect_keys where wallet_id = ${walletId}
    ${newestFirst(db, page, 'connect_key_id')}`;
}

async function findConnectKey(sql: Sql, walletId: string, connectKeyId: string, now: Date) {
  const [row] = await sql<ConnectKeyRow[]>`
    select ${columns(sql, now)} from connect_keys
    where wallet_id = ${walletId} and connect_key_id = ${connectKeyId}`;
  return row;
}

/** Why a key could not be claimed; read only after the claim itself found nothing. */
export async function findConnectKeyByHash(sql: Sql, keyHash: string, now: Date) {
  const [row] = await sql<ConnectKeyRow[]>`
    select ${columns(sql, now)} from connect_keys where key_hash = ${keyHash}`;
  return row;
}

async function markWithdrawn(tx: Tx, walletId: string, connectKeyId: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update connect_keys set status = 'withdrawn'
    where wallet_id = ${walletId} and connect_key_id = ${connectKeyId}
      and ${mayBecome(tx, 'connect_key', 'withdrawn', 'wallet')} and expires_at >= ${now}
    returning connect_key_id`;
  return rows.length > 0;
}

export async function withdrawAllConnectKeys(tx: Tx, walletId: string): Promise<string[]> {
  const rows = await tx<{ connect_key_id: string }[]>`
    update connect_keys set status = 'withdrawn'
    where wallet_id = ${walletId} and ${mayBecome(tx, 'connect_key', 'withdrawn', 'wallet')}
    returning connect_key_id`;
  return rows.map((row) => row.connect_key_id);
}

/** An invitation keeps its key until it is deleted itself. */
export async function purgeConnectKeys(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db`
    delete from connect_keys where connect_key_id in (
      select k.connect_key_id from connect_keys k
      where k.expires_at < ${before}
        and not exists (select from connect_invitations i where i.connect_key_id = k.connect_key_id)
      limit ${limit})`;
  return result.count;
}
