import type { RequestOrigin, Scope } from '@payassent/protocol';
import type { Database, Sql } from '../../db/open.ts';
import { textList } from '../../db/text-list.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Memory } from '../../lib/memory.ts';
import type { CallerPermission, TokenOwner } from '../../principals.ts';
import { statementsOf } from '../../storage/index.ts';
import { createBatches } from '../batch/batches.ts';
import type { HotCaller } from './authorize-sql.ts';

export interface PermittedCall {
  caller: HotCaller;
  /** Throws the reason why the credential does not pass, or prepares it: marks its first use, checks its proof. */
  authenticate(): Promise<unknown>;
}

/**
 * A cache of what callers may do. The statements of the hot routes return nothing unless the version of the permission
 * is still the one they were given, so the cache never grants what the database would not grant in the same snapshot.
 * It never rejects either: a caller that it does not know or would not let pass is looked up.
 */
export interface Permissions {
  /** Cached or looked up; undefined when the caller may not do it, for a reason that the ordinary check gives. */
  find(caller: HotCaller, scope: Scope): Promise<CallerPermission | undefined>;
  /** The current permission, read from the database. */
  lookUp(caller: HotCaller, scope: Scope): Promise<CallerPermission | undefined>;
  /**
   * Reads under the caller's permission. `work` returns undefined when the version has changed. Undefined when the
   * credential fails the lookup although the ordinary check accepts it.
   */
  under<Result>(
    call: PermittedCall,
    work: (permission: CallerPermission) => Promise<Result | undefined>,
  ): Promise<Result | undefined>;
  /** The cached permission of the caller. */
  known(caller: HotCaller): CallerPermission | undefined;
}

const BATCHES_AT_ONCE = 2;
const TOKENS_AT_ONCE = 48;
const READS: Scope = 'payment.requests.read';
/** Bounds a merchant that changes something between each lookup and the statement after it. */
const MAX_TRIES = 8;

export function createPermissions(parts: {
  db: Database;
  clock: Clock;
  owners: Memory<TokenOwner>;
}): Permissions {
  const { db, clock, owners } = parts;
  const lookUps = createBatches({
    atOnce: BATCHES_AT_ONCE,
    maxRows: TOKENS_AT_ONCE,
    execute: (tokenHashes: readonly string[]) => findPermissions(db, tokenHashes),
  });
  const passing = (permission: CallerPermission | undefined, caller: HotCaller, scope: Scope) =>
    permission && allows(permission, caller, scope, clock.now()) ? permission : undefined;
  const remembered = (caller: HotCaller, scope: Scope) =>
    passing(owners.get(caller.tokenHash)?.permission, caller, scope);
  const lookUp = async (caller: HotCaller, scope: Scope) => {
    const { tokenHash } = caller;
    const permission = await lookUps.run(tokenHash);
    const owner = owners.get(tokenHash);
    if (permission)
      owners.set(tokenHash, { subject: permission.connectionId, place: permission, permission });
    else if (owner?.permission) owners.set(tokenHash, { subject: owner.subject, place: owner.place });
    return passing(permission, caller, scope);
  };
  return {
    async find(caller, scope) {
      return remembered(caller, scope) ?? lookUp(caller, scope);
    },
    lookUp,
    known: (caller) => remembered(caller, READS),
    async under({ caller, authenticate }, work) {
      let permission = remembered(caller, READS);
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        permission ??= await lookUp(caller, READS);
        if (!permission) {
          await authenticate();
          permission = await lookUp(caller, READS);
        }
        if (!permission) return undefined;
        const result = await work(permission);
        if (result !== undefined) return result;
        permission = undefined;
      }
      throw new AppError('unavailable');
    },
  };
}

/** The creating credential of a request. A proof whose key no longer works counts for nothing. */
export function createdWith(
  { isShared, credentials }: CallerPermission,
  { provedBy }: HotCaller,
): RequestOrigin {
  if (credentials.some(({ credentialId }) => credentialId === provedBy)) return 'proof';
  return isShared ? 'shared_token' : 'own_token';
}

/** Whether it currently allows this caller's act, as long as its version is current. */
function allows(
  { scopes, requiresProof, credentials }: CallerPermission,
  { provedBy }: HotCaller,
  scope: Scope,
  now: Date,
): boolean {
  const nowMs = now.getTime();
  return (
    scopes.includes(scope) &&
    credentials.some(
      ({ credentialId, fromMs, untilMs }) =>
        fromMs <= nowMs && nowMs <= untilMs && (!requiresProof || credentialId === provedBy),
    )
  );
}

/**
 * What these tokens may do, each with the version under which it holds; undefined without a permission. Everything read
 * here must renew the version when it changes: a trigger on its table does (0045). A token's first use has to be
 * recorded, by the ordinary check: before that it may do nothing here.
 */
async function findPermissions(
  sql: Sql,
  tokenHashes: readonly string[],
): Promise<(CallerPermission | undefined)[]> {
  const permissions: (CallerPermission | undefined)[] = tokenHashes.map(() => undefined);
  for (const row of await statementsOf(sql).callerRights(sql, textList(tokenHashes)))
    permissions[row.n - 1] = {
      merchantId: row.merchant_id,
      connectionId: row.connection_id,
      agentId: row.agent_id,
      version: row.version,
      scopes: row.scopes.filter((scope) => row.allowed_scopes.includes(scope)),
      requiresProof: row.require_proof,
      isShared: row.is_shared,
      credentials: row.credentials.map(([credentialId, from, until]) => ({
        credentialId,
        fromMs: from === null ? Number.NEGATIVE_INFINITY : Date.parse(from),
        untilMs: until === null ? Number.POSITIVE_INFINITY : Date.parse(until),
      })),
      hasRecalls: row.has_recalls,
    };
  return permissions;
}
