import type { Database } from '../../db/open.ts';
import type { CallerPermission } from '../../principals.ts';
import type { HotCaller } from '../permissions/authorize-sql.ts';
import type { Permissions } from '../permissions/permissions.ts';
import type { EventKind } from './event-sql.ts';
import {
  findPendingInboxes,
  findPendingPolls,
  findPendingReads,
  type WaitingInbox,
  type WaitingPoll,
  type WaitingRead,
} from './pending-sql.ts';

export type Waited =
  | { kind: 'poll'; of: EventKind; caller: HotCaller; since: number }
  | ({ kind: 'inbox' } & WaitingInbox)
  | ({ kind: 'request' } & WaitingRead)
  /** Reads for itself at every beat, with its credential. */
  | { kind: 'look' };

/** Polls of one connection with the same position: one query, however many of them wait. */
interface AlikePolls extends WaitingPoll {
  waiting: Waited[];
}

/**
 * The waiters that have to read again. They include an agent whose right to read is not cached: it was never looked up
 * here, or expired.
 */
export async function findPendingWaiters(
  db: Database,
  permissions: Permissions,
  subjects: readonly Waited[],
  now: Date,
): Promise<Waited[]> {
  const missed: Waited[] = [];
  const polls = new Map<string, AlikePolls>();
  const inboxes: Extract<Waited, { kind: 'inbox' }>[] = [];
  const reads: { subject: Extract<Waited, { kind: 'request' }>; permission: CallerPermission | undefined }[] =
    [];
  for (const subject of subjects) {
    const agent = agentOf(subject);
    const permission = agent && permissions.known(agent);
    if (subject.kind === 'look' || (agent && !permission)) missed.push(subject);
    else if (subject.kind === 'inbox') inboxes.push(subject);
    else if (subject.kind === 'request') reads.push({ subject, permission });
    else if (permission) {
      const { of, since } = subject;
      const question = `${of} ${permission.connectionId} ${since}`;
      const group = polls.get(question) ?? { of, since, permission, waiting: [] };
      group.waiting.push(subject);
      polls.set(question, group);
    }
  }
  const groups = [...polls.values()];
  for (const n of groups.length > 0 ? await findPendingPolls(db, groups) : [])
    missed.push(...(groups[n]?.waiting ?? []));
  for (const n of inboxes.length > 0 ? await findPendingInboxes(db, inboxes, now) : [])
    missed.push(...inboxes.slice(n, n + 1));
  const asked = reads.map(({ subject, permission }) => ({ ...subject, permission }));
  for (const n of asked.length > 0 ? await findPendingReads(db, asked, now) : [])
    missed.push(...reads.slice(n, n + 1).map(({ subject }) => subject));
  return missed;
}

function agentOf(subject: Waited): HotCaller | undefined {
  if (subject.kind === 'poll') return subject.caller;
  if (subject.kind === 'request' && subject.credential.kind === 'connection') return subject.credential;
  return undefined;
}
