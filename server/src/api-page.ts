import { TAGS } from '@payassent/protocol/api';
import type { PublishedRoute } from './http/route.ts';

/** Every operation by its group, from the contract. */
export function operationTables(routes: readonly PublishedRoute[]): string {
  return Object.entries(TAGS)
    .map(([tag, about]) => ({ tag, about, own: routes.filter((route) => route.tag === tag) }))
    .filter(({ own }) => own.length > 0)
    .map(({ tag, about, own }) => `## ${tag}\n\n${about}\n\n${tableOf(own)}`)
    .join('\n\n');
}

function tableOf(routes: readonly PublishedRoute[]): string {
  const rows = [...routes]
    .sort((a, b) => a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method, 'en'))
    .map((route) => {
      const who = route.credential.length === 0 ? 'anyone' : route.credential.join(', ');
      return `| \`${route.id}\` | \`${route.method} ${route.path}\` | ${who} | ${route.summary} |`;
    });
  return ['| Operation | Call | Credential | What it does |', '|---|---|---|---|', ...rows].join('\n');
}
