import type { Attempt } from '../run/history.ts';
import { finding, groupBy, type Invariant, succeeded } from './evidence.ts';

/** How each one-time thing is used: the name of what was used, when a call uses one. */
const USES: readonly { thing: string; usedBy(attempt: Attempt): string | undefined }[] = [
  {
    thing: 'email link',
    usedBy: ({ path, sent }) =>
      path === '/v1/merchant-accounts/email-verifications' ? sent?.token : undefined,
  },
  {
    thing: 'session grant',
    usedBy: ({ path, sent }) =>
      path === '/v1/merchants' || path === '/v1/merchant-sessions' ? sent?.session_grant : undefined,
  },
  {
    thing: 'next grant',
    usedBy: ({ path, sent }) => (path === '/v1/merchant-sessions' ? sent?.next_grant : undefined),
  },
  {
    thing: 'connect key',
    usedBy: ({ path, sent }) => (path === '/v1/connect-invitations/claim' ? sent?.connect_key : undefined),
  },
  {
    thing: 'claim token',
    usedBy: ({ path, credential }) =>
      /^\/v1\/connect-invitations\/[^/]+\/exchange$/.test(path) ? credential : undefined,
  },
  {
    thing: 'pairing code',
    usedBy: ({ path }) => (/^\/v1\/pairing\/sessions\/[^/]+\/approve$/.test(path) ? path : undefined),
  },
  {
    thing: 'link code',
    usedBy: ({ path, sent }) => (path === '/v1/wallet-devices' ? sent?.link_code : undefined),
  },
  {
    thing: 'recovery code',
    usedBy: ({ path, sent }) => (path === '/v1/wallet-devices' ? sent?.recovery_code : undefined),
  },
  {
    thing: 'assertion',
    usedBy: ({ path, sent }) => (path === '/v1/agent-auth/token' ? sent?.assertion : undefined),
  },
  {
    thing: 'credential challenge',
    usedBy: ({ path, sent }) => (/\/credentials\/[^/]+\/activate$/.test(path) ? sent?.challenge : undefined),
  },
];

/** Nothing that is good for one use was good for two. */
const oneTimeThingsUsedOnce: Invariant = ({ attempts, tables }) => {
  const result = finding();
  const posts = attempts.filter((attempt) => attempt.method === 'POST');
  for (const { thing, usedBy } of USES) {
    const uses = posts.filter((attempt) => usedBy(attempt) !== undefined);
    for (const [name, tries] of groupBy(uses, (attempt) => usedBy(attempt) ?? '')) {
      const good = tries.filter(succeeded).length;
      result.expect(good <= 1, () => `${thing} ${name.slice(0, 40)} was used ${good} times`);
    }
  }
  const claims = groupBy(tables.connect_invitations, (row) => row.connect_key_id);
  for (const [key, rows] of claims)
    result.expect(rows.length === 1, () => `${rows.length} invitations for connect key ${key}`);
  const opened = [...tables.connect_invitations, ...tables.pairing_sessions].filter(
    (row) => row.connection_id !== null,
  );
  for (const [connection, rows] of groupBy(opened, (row) => row.connection_id ?? ''))
    result.expect(rows.length === 1, () => `connection ${connection} was opened ${rows.length} times`);
  return result;
};

/** Every kind was really contested, otherwise the check above proves little. */
export function coverageOfOneTimeThings(
  attempts: readonly Attempt[],
): Record<string, { things: number; contested: number }> {
  const coverage: Record<string, { things: number; contested: number }> = {};
  for (const { thing, usedBy } of USES) {
    const uses = attempts.filter((attempt) => attempt.method === 'POST' && usedBy(attempt) !== undefined);
    const groups = [...groupBy(uses, (attempt) => usedBy(attempt) ?? '').values()];
    coverage[thing] = { things: groups.length, contested: groups.filter((group) => group.length > 1).length };
  }
  return coverage;
}

export const ONE_TIME_RULES = {
  'one-time things used at most once': oneTimeThingsUsedOnce,
};
