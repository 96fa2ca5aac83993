import type { Database } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import type { CallerStanding, TokenOwner } from '../../http/principals.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Memory } from '../../lib/memory.ts';
import { findStandings, type HotCaller } from './gate-sql.ts';
import { createLanes } from './lanes.ts';

export interface StandingCall {
  caller: HotCaller;
  /** Says why the credential does not pass, or prepares it: marks its first use, checks its proof. */
  authenticate(): Promise<unknown>;
}

/**
 * What callers may read, remembered. `work` runs a statement that yields nothing (undefined) unless the version of the
 * standing is still the one it was given, so memory never grants what the database would not grant in the same snapshot.
 * It never refuses either: a caller that it does not know or would not let pass is looked up.
 */
export interface Standings {
  /** Undefined when the credential fails the look-up although the ordinary check has nothing against it. */
  under<Result>(
    call: StandingCall,
    work: (standing: CallerStanding) => Promise<Result | undefined>,
  ): Promise<Result | undefined>;
}

const LANES = 2;
const TOKENS_AT_ONCE = 48;
/** A merchant that changes something between each look-up and the statement after it gets no further than this. */
const MAX_TRIES = 8;

export function createStandings(parts: {
  db: Database;
  clock: Clock;
  owners: Memory<TokenOwner>;
}): Standings {
  const { db, clock, owners } = parts;
  const lookUps = createLanes({
    lanes: LANES,
    maxRows: TOKENS_AT_ONCE,
    execute: (tokenHashes: readonly string[]) => findStandings(db, tokenHashes),
  });
  const passing = (standing: CallerStanding | undefined, caller: HotCaller) =>
    standing && mayRead(standing, caller, clock.now()) ? standing : undefined;
  const lookUp = async (caller: HotCaller) => {
    const { tokenHash } = caller;
    const standing = await lookUps.run(tokenHash);
    const owner = owners.get(tokenHash);
    if (standing) owners.set(tokenHash, { subject: standing.connectionId, place: standing, standing });
    else if (owner?.standing) owners.set(tokenHash, { subject: owner.subject, place: owner.place });
    return passing(standing, caller);
  };
  return {
    async under({ caller, authenticate }, work) {
      let standing = passing(owners.get(caller.tokenHash)?.standing, caller);
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        standing ??= await lookUp(caller);
        if (!standing) {
          await authenticate();
          standing = await lookUp(caller);
        }
        if (!standing) return undefined;
        const result = await work(standing);
        if (result !== undefined) return result;
        standing = undefined;
      }
      throw new AppError('unavailable');
    },
  };
}

function mayRead(
  { requiresProof, credentials }: CallerStanding,
  { provedBy }: HotCaller,
  now: Date,
): boolean {
  const nowMs = now.getTime();
  return credentials.some(
    ({ credentialId, fromMs, untilMs }) =>
      fromMs <= nowMs && nowMs <= untilMs && (!requiresProof || credentialId === provedBy),
  );
}
