import { OPERATOR_ROLES } from '@payassent/protocol';
import { hasRole, TAGS } from '@payassent/protocol/api';
import type { PublishedRoute } from '../http/route.ts';

/** Every operation by its group, from the contract. */
export function operationTables(routes: readonly PublishedRoute[]): string {
  return Object.entries(TAGS)
    .map(([tag, about]) => ({ tag, about, own: routes.filter((route) => route.tag === tag) }))
    .filter(({ own }) => own.length > 0)
    .map(({ tag, about, own }) => `## ${tag}\n\n${about}\n\n${tableOf(own)}`)
    .join('\n\n');
}

function tableOf(routes: readonly PublishedRoute[]): string {
  const rows = [...routes].sort(byPath).map((route) => {
    const who = route.credential.length === 0 ? 'anyone' : route.credential.join(', ');
    return `| \`${route.id}\` | \`${route.method} ${route.path}\` | ${who} | ${route.summary} |`;
  });
  return ['| Operation | Call | Credential | What it does |', '|---|---|---|---|', ...rows].join('\n');
}

/** Who may call what, from the table that the service enforces. */
export function rolesTable(routes: readonly PublishedRoute[]): string {
  const rows = routes
    .filter((route) => route.authority)
    .sort(byPath)
    .map((route) => {
      const needed = route.authority?.role ?? 'owner';
      const cells = OPERATOR_ROLES.map((role) => (hasRole(role, needed) ? 'yes' : ''));
      const stepUp = route.authority?.stepUp;
      const passkey = stepUp ? (typeof stepUp === 'object' ? condition(stepUp) : 'yes') : '';
      const four = route.authority?.fourEyes;
      const second = four ? (four === true ? 'yes' : condition(four)) : '';
      return `| \`${route.method} ${route.path}\` | ${route.summary} | ${cells.join(' | ')} | ${passkey} | ${second} |`;
    });
  return [
    `| Call | What it does | ${OPERATOR_ROLES.join(' | ')} | passkey | second owner |`,
    `|---|---|${OPERATOR_ROLES.map(() => '---|').join('')}---|---|`,
    ...rows,
  ].join('\n');
}

function byPath(a: PublishedRoute, b: PublishedRoute): number {
  return a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method, 'en');
}

/** What the body must have. */
function condition({ member, is }: { member: string; is?: string | boolean }): string {
  return `with \`${member}${is === undefined ? '' : `: ${JSON.stringify(is)}`}\``;
}
