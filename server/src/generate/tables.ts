import { OPERATOR_ROLES } from '@payassent/protocol';
import { hasRole, TAGS } from '@payassent/protocol/api';
import { RATE_LIMITS } from '../http/limits/table.ts';
import type { Step } from '../http/pipeline/order.ts';
import type { PublishedRoute } from '../http/route.ts';
import { RETENTION } from '../jobs/retention.ts';
import { CAPS, FIXED_CAPS, REQUEST_SIZES, TIME_OUTS } from '../limits.ts';
import { CONTROL_PLANE_LOCKS, PAYMENT_LOCKS } from '../lock-order.ts';

/** Every operation by its group, from the contract. */
export function operationTables(routes: readonly PublishedRoute[]): string {
  return Object.entries(TAGS)
    .map(([tag, about]) => ({ tag, about, own: routes.filter((route) => route.tag === tag) }))
    .filter(({ own }) => own.length > 0)
    .map(({ tag, about, own }) => `## ${tag}\n\n${about}\n\n${operationTable(own)}`)
    .join('\n\n');
}

function operationTable(routes: readonly PublishedRoute[]): string {
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

/** What the body must contain. */
function condition({ member, is }: { member: string; is?: string | boolean }): string {
  return `with \`${member}${is === undefined ? '' : `: ${JSON.stringify(is)}`}\``;
}

/** The order of checks, step by step. */
export function stepList(steps: readonly Step[]): string {
  return steps.map(({ name, about }, at) => `${at + 1}. **${name}**: ${about}`).join('\n');
}

export function lockOrders(): string {
  const line = (locks: typeof PAYMENT_LOCKS) =>
    locks.map(({ table, order }) => `\`${table}\`${order ? ` by (${order})` : ''}`).join(', then ');
  return [`- Payments: ${line(PAYMENT_LOCKS)}.`, `- Control plane: ${line(CONTROL_PLANE_LOCKS)}.`].join('\n');
}

export function retentionTable(): string {
  return tableOf(
    ['Days', 'What'],
    Object.values(RETENTION).map(({ days, about }) => [days, about]),
  );
}

export function limitTables(): string {
  const capRows = (caps: Record<string, { count: number; per: string; about: string }>, isNamed: boolean) =>
    Object.entries(caps).map(([name, { count, per, about }]) => [
      isNamed ? `\`${name}\`` : '',
      count,
      per,
      about,
    ]);
  return [
    'How large a request may be:',
    tableOf(
      ['At most', 'What'],
      Object.values(REQUEST_SIZES).map(({ count, about }) => [count, about]),
    ),
    'How long anybody is waited for:',
    tableOf(
      ['Seconds', 'For'],
      Object.values(TIME_OUTS).map(({ s, about }) => [s, about]),
    ),
    'How much one party may have before 409 `limit_reached`. Those with a name are changed by `SVC_CAPS`:',
    tableOf(['Name', 'At most', 'Per', 'What'], [...capRows(CAPS, true), ...capRows(FIXED_CAPS, false)]),
    'How often, in any stretch of time as long as the period, before 429 `rate_limited`; changed by `SVC_RATE_LIMITS`:',
    tableOf(
      ['Name', 'Calls', 'Period in seconds', 'Per'],
      Object.entries(RATE_LIMITS).map(([name, { count, periodS, per }]) => [
        `\`${name}\``,
        count,
        periodS,
        per,
      ]),
    ),
  ].join('\n\n');
}

function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => (typeof value === 'number' ? value.toLocaleString('en') : value);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}
