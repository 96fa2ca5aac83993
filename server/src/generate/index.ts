import { readFileSync } from 'node:fs';
import {
  AUDIT_EVENT_TYPES,
  drawStateMachine,
  ERRORS,
  ISSUE_CODES,
  MACHINE_NAMES,
  REJECTION_REASONS,
  renderNetworksTable,
} from '@payassent/protocol';
import { buildOpenApi } from '../http/openapi/index.ts';
import { HOT_STEPS, ORDINARY_STEPS } from '../http/pipeline/order.ts';
import { publishedRoutes } from '../http/route.ts';
import { sdkFiles } from './sdk.ts';
import { limitTables, lockOrders, operationTables, retentionTable, rolesTable, stepList } from './tables.ts';

const NOTICE = '<!-- Written from the code by "npm run generate". Do not edit. -->';

/** Every committed file that is written from the code, by path from the root. A test holds them equal. */
export function generatedFiles(): Record<string, string> {
  return {
    'openapi.json': `${JSON.stringify(buildOpenApi(publishedRoutes(), 'http://127.0.0.1:8787'), null, 2)}\n`,
    ...sdkFiles(),
    'docs/API.md': page(
      'API',
      'Every operation, by what it is about. `/docs` of a running service shows them with all their members and can try them; `openapi.json` is the same for programs.',
      operationTables(publishedRoutes()),
    ),
    'docs/ERRORS.md': errorPage(),
    'docs/ROLES.md': page(
      'Roles',
      'What an operator may do with each role, by a merchant session or an admin session. Anything else is 403 `insufficient_role`. The OpenAPI document states the least role of each call as `x-required-role`. Where the last two columns say so, an operator who has a passkey must have used it in the last 10 minutes (403 `step_up_required`, `x-step-up`), and where the organization requires two owners (`four_eyes`), the call answers 202 and waits for another one (`x-four-eyes`).',
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
    'docs/OPERATIONS.md': withBlocks('docs/OPERATIONS.md', {
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

/** A page that people write, with parts that are written from the code between marks. */
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

function errorPage(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const errors = Object.entries(ERRORS).map(
    ([code, entry]) =>
      `| \`${code}\` | ${entry.httpStatus} | ${cell(entry.meaning)} | ${cell(entry.recovery)} | ${entry.safeToRetry ? 'yes' : 'no'} |`,
  );
  const issues = Object.entries(ISSUE_CODES).map(([code, meaning]) => `| \`${code}\` | ${cell(meaning)} |`);
  return page(
    'Errors',
    'The same list is served at `GET /v1/errors`. "Retry" answers whether a program may send the very same request again by itself.',
    [
      '| Code | Status | Meaning | What to do | Retry |',
      '|---|---|---|---|---|',
      ...errors,
      '',
      '## Issue codes',
      '',
      'One refused request lists all of its issues in `error.issues` (`error.details.issues` on the second surface).',
      '',
      '| Code | Meaning |',
      '|---|---|',
      ...issues,
      '',
      '## Reason codes',
      '',
      'What wallets should give as `reason_code` when the user rejects. Others are allowed, except the reasons of the service itself: `payee_recalled`, `connection_revoked`, `withdrawn_by_agent` and `superseded`.',
      '',
      ...REJECTION_REASONS.map((code) => `- \`${code}\``),
      '',
      '## Audit event types',
      '',
      ...AUDIT_EVENT_TYPES.map((type) => `- \`${type}\``),
    ].join('\n'),
  );
}

function stateDiagrams(): string {
  return MACHINE_NAMES.map((name) => {
    const title = name.replaceAll('_', ' ');
    return `## ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\n\`\`\`mermaid\n${drawStateMachine(name).trimEnd()}\n\`\`\`\n`;
  }).join('\n');
}
