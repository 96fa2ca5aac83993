import { readFileSync } from 'node:fs';
import { AUDIT_EVENT_TYPES, drawStateMachine, MACHINE_NAMES, renderNetworksTable } from '@payassent/protocol';
import { buildOpenApi } from '../http/openapi/index.ts';
import { HOT_STEPS, ORDINARY_STEPS } from '../http/pipeline/order.ts';
import { publishedRoutes } from '../http/route.ts';
import { errorList } from './error-page.ts';
import { sdkFiles } from './sdk.ts';
import { limitTables, lockOrders, operationTables, retentionTable, rolesTable, stepList } from './tables.ts';

const NOTICE = '<!-- Written from the code by "npm run generate". Do not edit. -->';

/** Every committed file that is generated from the code, by path from the root. A test compares them. */
export function generatedFiles(): Record<string, string> {
  return {
    'openapi.json': `${JSON.stringify(buildOpenApi(publishedRoutes(), 'http://127.0.0.1:8787'), null, 2)}\n`,
    ...sdkFiles(),
    'docs/API.md': page(
      'API',
      'Every operation, by what it is about. `/docs` of a running service shows them with all their members and can try them; `openapi.json` is the same for programs.',
      operationTables(publishedRoutes()),
    ),
    'docs/ERRORS.md': page(
      'Errors',
      'Every code with its cause, what to do and an example. `GET /v1/errors` serves the same list; `message` in a response may be more specific, with the values. "Retry" is about a program that sends the same request again: after waiting, or with a fresh token where the code is about a token.',
      errorList(),
    ),
    'docs/AUDIT-EVENTS.md': page(
      'Audit events',
      'What an audit trail records: `GET /v1/audit-events` of a merchant, and `GET /v1/wallets/current/audit-events` of a wallet.',
      AUDIT_EVENT_TYPES.map((type) => `- \`${type}\``).join('\n'),
    ),
    'docs/ROLES.md': page(
      'Roles',
      'What a team member may do with each role, by a merchant session or an admin session. Anything else is 403 `insufficient_role`. The OpenAPI document states the least role of each call as `x-required-role`. The last two columns mark the calls for which a team member who has a passkey must have used it in the last 10 minutes (403 `step_up_required`, `x-step-up`), and those that return 202 and wait for another owner where the organization requires two (`four_eyes`, `x-four-eyes`).',
      rolesTable(publishedRoutes()),
    ),
    'docs/NETWORKS.md': page(
      'Networks',
      'Every network value with what PayAssent derives from it.',
      renderNetworksTable(),
    ),
    'docs/ARCHITECTURE.md': withBlocks('docs/ARCHITECTURE.md', {
      'ordinary steps': stepList(ORDINARY_STEPS),
      'hot steps': stepList(HOT_STEPS),
      'lock order': lockOrders(),
    }),
    'docs/operators/configuration.md': withBlocks('docs/operators/configuration.md', {
      retention: retentionTable(),
      limits: limitTables(),
    }),
    'docs/STATES.md': page(
      'State machines',
      'Drawn from the tables that the service enforces.',
      stateDiagrams(),
    ),
  };
}

function page(title: string, intro: string, content: string): string {
  return `# ${title}\n\n${NOTICE}\n\n${intro}\n\n${content.trimEnd()}\n`;
}

/** A page written by people, with parts generated from the code between marks. */
function withBlocks(path: string, blocks: Record<string, string>): string {
  let text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  for (const [name, content] of Object.entries(blocks)) {
    const [begin, end] = [
      `<!-- ${name}: written from the code by "npm run generate" -->`,
      `<!-- end of ${name} -->`,
    ];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${path} has no place for "${name}"`);
    text = `${text.slice(0, from)}${begin}\n\n${content}\n\n${text.slice(to)}`;
  }
  return text;
}

function stateDiagrams(): string {
  return MACHINE_NAMES.map((name) => {
    const title = name.replaceAll('_', ' ');
    return `## ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\n\`\`\`mermaid\n${drawStateMachine(name).trimEnd()}\n\`\`\`\n`;
  }).join('\n');
}
