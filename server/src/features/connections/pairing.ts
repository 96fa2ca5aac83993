import {
  buildPairingUri,
  formatPairingCode,
  newPairingCode,
  normalisePairingCode,
  type Scope,
} from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { AppError, notFound, refuseSuspendedAgent, refuseWhenInvalid } from '../../errors.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { equalInConstantTime, type Keys } from '../../lib/keys.ts';
import type { AgentPrincipal, WalletPrincipal } from '../../principals.ts';
import { audit, auditActor } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import { walletTopic } from '../callers/topics.ts';
import { findConnection, holdAgent } from './connection-sql.ts';
import { createConnection, notRequestedIssues } from './connections.ts';
import {
  countWrongCode,
  decideSession,
  findPendingByCode,
  findSessionOfAgent,
  insertPairingSession,
  listFormerCodeKeys,
  lockSession,
  type PairingSessionRow,
} from './pairing-sql.ts';
import { unusedSharedToken } from './tokens.ts';
import type { ConnectionRow, PairingRow } from './view.ts';

const SESSION_LIFE_MS = 10 * MINUTE_MS;
/** A collision among 20^8 codes of pending sessions: once is rare, this many mean a broken generator. */
const MAX_CODE_ATTEMPTS = 5;

interface CreatedPairing {
  session: PairingRow;
  code: string;
  pairingUri: string;
}

export async function createPairingSession(
  tx: Tx,
  act: Act,
  keys: Keys,
  principal: AgentPrincipal,
  input: { requestedScopes: readonly Scope[]; baseUrl: string },
): Promise<CreatedPairing> {
  const { merchantId, agentId } = principal;
  const sessionId = act.newId('pair');
  const code = await insertWithFreshCode(act, keys, (candidate) =>
    insertPairingSession(tx, {
      sessionId,
      merchantId,
      agentId,
      ...candidate,
      requestedScopes: input.requestedScopes,
      createdAt: act.now,
      expiresAt: addMs(act.now, SESSION_LIFE_MS),
    }),
  );
  await audit(tx, act, principal, merchantId, 'pairing_session.created', sessionId, {
    requested_scopes: [...input.requestedScopes],
  });
  const session = await findSessionOfAgent(tx, principal, sessionId, act.now);
  if (!session) throw notFound();
  return {
    session,
    code: formatPairingCode(code),
    pairingUri: buildPairingUri({ sessionId, code, origin: input.baseUrl }),
  };
}

async function insertWithFreshCode(
  act: Act,
  keys: Keys,
  insert: (candidate: { codeMac: string; codeKeyId: string }) => Promise<boolean>,
): Promise<string> {
  for (let attempt = 0; attempt < MAX_CODE_ATTEMPTS; attempt += 1) {
    const code = newPairingCode((count) => act.randomBytes(count));
    const codeKeyId = keys.currentKeyId;
    if (await insert({ codeMac: codeMac(keys, codeKeyId, code), codeKeyId })) return code;
  }
  throw new Error('every pairing code tried is taken');
}

interface PolledPairing {
  session: PairingRow;
  connection: ConnectionRow | undefined;
  token: string | undefined;
}

/** For the agent: after the approval with the token that the wallet has seen, until it is used or replaced. */
export async function pollPairingSession(
  db: Database,
  act: Act,
  keys: Keys,
  principal: AgentPrincipal,
  input: { sessionId: string; code: string },
): Promise<PolledPairing> {
  const { merchantId, agentId } = principal;
  const session = await findSessionOfAgent(db, principal, input.sessionId, act.now);
  if (!session) throw notFound();
  if (!isCodeOf(keys, session, input.code)) {
    await countWrongCode(db, input.sessionId, act.now);
    throw notFound();
  }
  const id = session.connection_id;
  if (id === null) return { session, connection: undefined, token: undefined };
  const connection = await findConnection(db, { kind: 'agent', merchantId, agentId }, id);
  const isAlive = connection !== undefined && connection.status !== 'revoked';
  return { session, connection, token: isAlive ? await unusedSharedToken(db, keys, id) : undefined };
}

interface Decision {
  sessionId: string;
  code: string;
}

/** What a wallet shows before it decides. Pending sessions only; undefined is a miss, which the caller counts. */
export async function findPairingSession(
  db: Database,
  keys: Keys,
  typed: string,
  now: Date,
): Promise<PairingRow | undefined> {
  const code = normalisePairingCode(typed);
  if (code === undefined) return undefined;
  const found = await findPendingByCode(db, codeMac(keys, keys.currentKeyId, code), now);
  if (found) return found;
  for (const keyId of await listFormerCodeKeys(db, keys.currentKeyId, now)) {
    const older = await findPendingByCode(db, codeMac(keys, keyId, code), now);
    if (older) return older;
  }
  return undefined;
}

export async function approvePairing(
  db: Database,
  act: Act,
  keys: Keys,
  principal: WalletPrincipal,
  input: Decision & { scopes: readonly Scope[] | undefined },
): Promise<{ connection: ConnectionRow; token: string }> {
  return withSession(db, act, keys, principal, input, async (tx, session) => {
    refuseWhenInvalid(notRequestedIssues(input.scopes ?? [], session.requested_scopes));
    const agent = await holdAgent(tx, session.merchant_id, session.agent_id);
    if (session.status !== 'pending' || agent?.status === 'revoked') throw new AppError('pairing_closed');
    if (agent) refuseSuspendedAgent(agent);
    const scopes = input.scopes ?? session.requested_scopes;
    const made = await createConnection(tx, act, keys, auditActor(principal), {
      merchantId: session.merchant_id,
      agentId: session.agent_id,
      walletId: principal.walletId,
      scopes,
      isTokenShared: true,
    });
    const connectionId = made.connection.connection_id;
    const { walletId } = principal;
    await decideSession(
      tx,
      input.sessionId,
      { status: 'approved', walletId, approvedScopes: scopes, connectionId },
      act.now,
    );
    await recordDecision(tx, act, principal, session, 'approved', { approved_scopes: [...scopes] });
    tx.afterCommit(() => act.announce(walletTopic(walletId)));
    return made;
  });
}

export async function rejectPairing(
  db: Database,
  act: Act,
  keys: Keys,
  principal: WalletPrincipal,
  input: Decision,
): Promise<PairingRow> {
  return withSession(db, act, keys, principal, input, async (tx, session) => {
    if (session.status !== 'pending') throw new AppError('pairing_closed');
    const { walletId } = principal;
    const decision = { status: 'rejected', walletId, approvedScopes: null, connectionId: null } as const;
    await decideSession(tx, input.sessionId, decision, act.now);
    await recordDecision(tx, act, principal, session, 'rejected', {});
    return { ...session, status: 'rejected' };
  });
}

/** A wrong code is 404, like a session that does not exist, but its count must survive the error. */
async function withSession<Result>(
  db: Database,
  act: Act,
  keys: Keys,
  principal: WalletPrincipal,
  input: Decision,
  decide: (tx: Tx, session: PairingSessionRow) => Promise<Result>,
): Promise<Result> {
  const outcome = await transaction(db, async (tx) => {
    await holdWallet(tx, principal);
    const session = await lockSession(tx, input.sessionId, act.now);
    if (session && isCodeOf(keys, session, input.code)) return { result: await decide(tx, session) };
    if (session) await countWrongCode(tx, input.sessionId, act.now);
    return undefined;
  });
  if (!outcome) throw notFound();
  return outcome.result;
}

async function recordDecision(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  session: PairingSessionRow,
  decision: 'approved' | 'rejected',
  details: Record<string, unknown>,
): Promise<void> {
  await audit(
    tx,
    act,
    principal,
    session.merchant_id,
    `pairing_session.${decision}`,
    session.pairing_session_id,
    details,
  );
}

/** A keyed hash: from a plain one in a dump of the database eight letters could be brute-forced. */
function codeMac(keys: Keys, keyId: string, code: string): string {
  return keys.mac('pairing-code', keyId, code).toString('hex');
}

/** `typed` is what a caller sent; anything that is not a code is simply wrong. */
function isCodeOf(keys: Keys, session: { code_mac: string; code_key_id: string }, typed: string): boolean {
  const code = normalisePairingCode(typed);
  return (
    code !== undefined && equalInConstantTime(codeMac(keys, session.code_key_id, code), session.code_mac)
  );
}
