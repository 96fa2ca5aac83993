import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { connectionTopic } from '../callers/topics.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import { findConnection, lockConnection, markNamesSeen, setConnectionStatus } from './connection-sql.ts';
import { readConnection } from './create-connection.ts';
import { type ConnectionRow, connectionView } from './view.ts';

const EVENT = { paused: 'connection.paused', active: 'connection.resumed' } as const;

export interface ConnectionChange {
  status?: 'paused' | 'active';
  seen_names?: { agent?: string; merchant?: string };
}

/** Setting the status it already has changes nothing and announces nothing. Which names the user saw is never announced. */
export async function changeConnection(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  connectionId: string,
  { status, seen_names: names }: ConnectionChange,
): Promise<ConnectionRow> {
  const owner = { kind: 'wallet', walletId: principal.walletId } as const;
  if (!(await lockConnection(tx, owner, connectionId))) throw notFound();
  const current = await findConnection(tx, owner, connectionId);
  if (!current) throw notFound();
  if (current.status === 'revoked') throw new AppError('connection_revoked');
  if (names !== undefined) await markNamesSeen(tx, principal.walletId, connectionId, names);
  if (status === undefined || current.status === status)
    return readConnection(tx, principal.walletId, connectionId);

  await setConnectionStatus(tx, principal.walletId, connectionId, status, 'wallet', act.now);
  const connection = await readConnection(tx, principal.walletId, connectionId);
  const { merchant_id: merchantId } = connection;
  await recordAudit(tx, act, {
    merchantId,
    type: EVENT[status],
    actor: auditActor(principal),
    target: { type: 'connection', id: connectionId },
  });
  await queueWebhook(tx, act, {
    merchantId,
    type: EVENT[status],
    data: { connection: connectionView(connection) },
  });
  tx.afterCommit(() => act.announce(connectionTopic(connectionId)));
  return connection;
}
