import {
  allowAddresses,
  exactJson,
  findForeignAddresses,
  type Issue,
  mayShowAddress,
  parseExactJson,
} from '@payassent/protocol';
import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';
import type { PaymentRequest, TransactionContext } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Database, Sql, Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { ConnectionPrincipal, WalletPrincipal } from '../../principals.ts';
import {
  type ContextRow,
  findContext,
  findContextConnections,
  insertContext,
  listOwnAddresses,
  lockContext,
} from './context-sql.ts';

export type ContextInput = BodyOf<typeof api.postTransactionContext>;

/** Appends a revision: contexts shown with a request can grow, but a pinned revision never changes. */
export async function appendContext(
  tx: Tx,
  act: Act,
  principal: ConnectionPrincipal,
  input: ContextInput,
): Promise<TransactionContext> {
  const { transaction_id, connection_id, ...content } = input;
  const { connectionId, merchantId } = principal;
  if (principal.status === 'paused') throw new AppError('connection_paused');
  if (connection_id !== undefined && connection_id !== connectionId) throw notFound();
  const transactionId = transaction_id ?? act.newId('ctx');
  await lockContext(tx, connectionId, transactionId);
  const row = await insertContext(tx, merchantId, {
    connection_id: connectionId,
    transaction_id: transactionId,
    content: exactJson(content),
    created_at: act.now,
  });
  // Paused or revoked since the credential was checked; a revoked one is rejected by the next call.
  if (!row) throw new AppError('connection_paused');
  return contextView(row);
}

/**
 * Addresses in a context's id and text that are no payee of the organization; any member may be of any type. The payees
 * are only read when the text contains an address at all.
 */
export async function foreignAddresses(
  sql: Sql,
  merchantId: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Issue[]> {
  const { transaction_id: id, connection_id: _connection, ...content } = body;
  if (!mayShowAddress(content) && !mayShowAddress(id)) return [];
  const own = allowAddresses(await listOwnAddresses(sql, merchantId));
  return [...findForeignAddresses(id, 'transaction_id', own), ...findForeignAddresses(content, '', own)];
}

export interface ContextChoice {
  transactionId: string;
  connectionId: string | null;
  revision: number | undefined;
}

export async function readContext(
  db: Database,
  principal: ConnectionPrincipal | WalletPrincipal,
  choice: ContextChoice,
): Promise<TransactionContext> {
  const connectionId =
    principal.kind === 'connection' ? principal.connectionId : await chosenConnection(db, principal, choice);
  if (choice.connectionId !== null && choice.connectionId !== connectionId) throw notFound();
  const row = await findContext(db, connectionId, choice.transactionId, choice.revision);
  if (!row) throw notFound();
  return contextView(row);
}

async function chosenConnection(
  db: Database,
  principal: WalletPrincipal,
  choice: ContextChoice,
): Promise<string> {
  const { transactionId, connectionId } = choice;
  const [only, other] = await findContextConnections(db, principal.walletId, transactionId, connectionId);
  if (only === undefined) throw notFound();
  if (other !== undefined)
    throw new AppError('ambiguous_request_id', {
      message: 'Two connections have a context with this id: choose one with connection_id.',
    });
  return only;
}

function contextView(row: ContextRow): TransactionContext & { connection_id: string } {
  return {
    ...(parseExactJson(row.content) as Record<string, unknown>),
    transaction_id: row.transaction_id,
    connection_id: row.connection_id,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
  };
}

/** What a request has pinned, as it was posted; null when there was no context. */
export async function pinnedContext(
  sql: Sql,
  record: PaymentRequest,
): Promise<{ revision: number; content: Record<string, unknown> } | null> {
  const { connection_id, transaction_id, transaction_context } = record;
  const revision = transaction_context?.revision;
  if (transaction_id === undefined || revision === undefined || revision === null) return null;
  const row = await findContext(sql, connection_id, transaction_id, revision);
  return row ? { revision, content: parseExactJson(row.content) as Record<string, unknown> } : null;
}
