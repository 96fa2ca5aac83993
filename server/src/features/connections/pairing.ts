import { buildPairingUri, formatPairingCode, newPairingCode, type Scope } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Database, Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { AgentPrincipal } from '../../http/principals.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { findConnection } from './connection-sql.ts';
import { codeMac, isCodeOf } from './pairing-code.ts';
import { countWrongCode, findSessionOfAgent, insertPairingSession } from './pairing-sql.ts';
import { unusedSharedToken } from './tokens.ts';
import type { ConnectionRow, PairingRow } from './view.ts';

const SESSION_LIFE_MS = 10 * MINUTE_MS;
/** A code among 20^8 that another pending session has already: once is rare, this often means a broken generator. */
const MAX_CODE_ATTEMPTS = 5;

export interface CreatedPairing {
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
  await recordAudit(tx, act, {
    merchantId,
    type: 'pairing_session.created',
    actor: auditActor(principal),
    target: { type: 'pairing_session', id: sessionId },
    details: { requested_scopes: [...input.requestedScopes] },
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

export interface PolledPairing {
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
