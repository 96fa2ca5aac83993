import { OPERATOR_ROLES } from '@payassent/protocol';
import { hasRole } from '@payassent/protocol/api';
import type { PublishedRoute } from './http/route.ts';

/** Who may call what, from the table that the service enforces. */
export function rolesTable(routes: readonly PublishedRoute[]): string {
  const rows = routes
    .filter((route) => route.authority)
    .sort((a, b) => a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method, 'en'))
    .map((route) => {
      const needed = route.authority?.role ?? 'owner';
      const cells = OPERATOR_ROLES.map((role) => (hasRole(role, needed) ? 'yes' : ''));
      const stepUp = route.authority?.stepUp;
      const passkey = stepUp ? (typeof stepUp === 'object' ? `with \`${stepUp.member}\`` : 'yes') : '';
      const four = route.authority?.fourEyes;
      const second = four
        ? four === true
          ? 'yes'
          : `with \`${four.member}: ${JSON.stringify(four.is)}\``
        : '';
      return `| \`${route.method} ${route.path}\` | ${route.summary} | ${cells.join(' | ')} | ${passkey} | ${second} |`;
    });
  return [
    `| Call | What it does | ${OPERATOR_ROLES.join(' | ')} | passkey | second owner |`,
    `|---|---|${OPERATOR_ROLES.map(() => '---|').join('')}---|---|`,
    ...rows,
  ].join('\n');
}
