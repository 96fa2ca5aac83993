import type { Database } from '../../db/open.ts';
import type { CallerStanding } from '../../http/principals.ts';
import type { EventKind } from './event-sql.ts';
import type { HotCaller } from './gate-sql.ts';
import {
  findPendingInboxes,
  findPendingPolls,
  findPendingReads,
  type WaitingInbox,
  type WaitingPoll,
  type WaitingRead,
} from './pending-sql.ts';
import type { Standings } from './standings.ts';

export type Waited =
  | { kind: 'poll'; of: EventKind; caller: HotCaller; since: number }
  | ({ kind: 'inbox' } & WaitingInbox)
  | ({ kind: 'request' } & WaitingRead)
  /** Looks for itself at every beat, with its credential. */
  | { kind: 'look' };

/** Polls of one connection that know the same: one question, however many of them wait. */
interface AlikePolls extends WaitingPoll {
  waiting: Waited[];
}

/**
 * Those of the waiting that have to look again. So does an agent whose right to read is not remembered: it was never
 * looked up here, or ended with time.
 */
export async function findMissed(
  db: Database,
  standings: Standings,
  subjects: readonly Waited[],
  now: Date,
): Promise<Waited[]> {
  const missed: Waited[] = [];
  const polls = new Map<string, AlikePolls>();
  const inboxes: Extract<Waited, { kind: 'inbox' }>[] = [];
  const reads: { subject: Extract<Waited, { kind: 'request' }>; standing: CallerStanding | undefined }[] = [];
  for (const subject of subjects) {
    const agent = agentOf(subject);
    const standing = agent && standings.known(agent);
    if (subject.kind === 'look' || (agent && !standing)) missed.push(subject);
    else if (subject.kind === 'inbox') inboxes.push(subject);
    else if (subject.kind === 'request') reads.push({ subject, standing });
    else if (standing) {
      const { of, since } = subject;
      const question = `${of} ${standing.connectionId} ${since}`;
      const group = polls.get(question) ?? { of, since, standing, waiting: [] };
      group.waiting.push(subject);
      polls.set(question, group);
    }
  }
  const groups = [...polls.values()];
  for (const n of groups.length > 0 ? await findPendingPolls(db, groups) : [])
    missed.push(...(groups[n]?.waiting ?? []));
  for (const n of inboxes.length > 0 ? await findPendingInboxes(db, inboxes, now) : [])
    missed.push(...inboxes.slice(n, n + 1));
  const asked = reads.map(({ subject, standing }) => ({ ...subject, standing }));
  for (const n of asked.length > 0 ? await findPendingReads(db, asked, now) : [])
    missed.push(...reads.slice(n, n + 1).map(({ subject }) => subject));
  return missed;
}

function agentOf(subject: Waited): HotCaller | undefined {
  if (subject.kind === 'poll') return subject.caller;
  if (subject.kind === 'request' && subject.credential.kind === 'connection') return subject.credential;
  return undefined;
}
