import { NEXT_STEPS, OUTCOMES, RULES, TOOL_DEFINITIONS, type ToolOutcome } from '@payassent/sdk/tools';
import type { Context } from '../../context.ts';
import type { Document } from '../../http/document.ts';
import { MCP_PATH, RESOURCE_METADATA_PATH } from '../../http/wire-errors.ts';

/* What models and their developers read about this service, derived from the tools' own texts. */

const SUMMARY =
  'PayAssent lets software agents request payments from a person. The service coordinates, the wallet decides: an agent can request, wait and read, and only the person can approve.';

const list = (entries: readonly string[]) => entries.map((entry) => `- ${entry}`).join('\n');

function links(baseUrl: string): string {
  return list([
    `[Everything about the tools](${baseUrl}/llms-full.txt)`,
    `[Skill file](${baseUrl}/skill.md)`,
    `[API reference](${baseUrl}/docs)`,
    `[OpenAPI document](${baseUrl}/openapi.json)`,
    `MCP endpoint: ${baseUrl}/mcp (Streamable HTTP, \`Authorization: Bearer <connection token>\`)`,
    'MCP over stdio: `payassent mcp`',
  ]);
}

function toolLines(): string {
  return list(TOOL_DEFINITIONS.map(({ name, description }) => `\`${name}\`: ${description}`));
}

function outcomeLines(): string {
  const names = Object.keys(OUTCOMES) as ToolOutcome[];
  return list(names.map((name) => `\`${name}\`: ${OUTCOMES[name]} ${NEXT_STEPS[name]}`));
}

function schemas(): string {
  return TOOL_DEFINITIONS.map(({ name, title, description, inputSchema, outputSchema }) =>
    [
      `### ${name}`,
      `${title}. ${description}`,
      'Input:',
      `\`\`\`json\n${JSON.stringify(inputSchema, null, 2)}\n\`\`\``,
      'Result:',
      `\`\`\`json\n${JSON.stringify(outputSchema, null, 2)}\n\`\`\``,
    ].join('\n\n'),
  ).join('\n\n');
}

const PURCHASE = [
  'Call `list_payees` to find the payee.',
  'Choose an `intent_id` for the purchase and note it.',
  'Call `request_payment` with payee, amount, purpose and that `intent_id`.',
  'Give the person `review_url`, then call `wait_for_decision` until the outcome is no longer `waiting_for_person`.',
  'Do what `next_step` says. After an error, a timeout or a restart, repeat the call with the same `intent_id`.',
]
  .map((step, at) => `${at + 1}. ${step}`)
  .join('\n');

const HOW_TO_PAY = ['## Rules', list(RULES), '## A purchase', PURCHASE, '## Outcomes', outcomeLines()];

const page = (...parts: readonly string[]) => `${parts.join('\n\n')}\n`;

const TEXTS: Readonly<Record<string, (baseUrl: string) => string>> = {
  '/llms.txt': (baseUrl) =>
    page(
      '# PayAssent',
      `> ${SUMMARY}`,
      '## Rules',
      list(RULES),
      '## Tools',
      toolLines(),
      '## More',
      links(baseUrl),
    ),
  '/llms-full.txt': (baseUrl) =>
    page('# PayAssent', `> ${SUMMARY}`, ...HOW_TO_PAY, '## Tools', schemas(), '## More', links(baseUrl)),
  '/skill.md': () =>
    page(
      '---\nname: payassent\ndescription: Request a payment that a person approves, and learn its outcome. Use when a task needs something to be paid.\n---',
      '# Payments with PayAssent',
      SUMMARY,
      ...HOW_TO_PAY,
    ),
};

/** RFC 9728: what an MCP client needs before it requests a token. */
const resourceMetadata = ['', MCP_PATH].map(
  (suffix): Document => ({
    method: 'GET',
    path: `${RESOURCE_METADATA_PATH}${suffix}`,
    serve: ({ config }) => ({
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify({
        resource: `${config.baseUrl}${MCP_PATH}`,
        bearer_methods_supported: ['header'],
      }),
    }),
  }),
);

const texts: readonly Document[] = Object.entries(TEXTS).map(([path, write]) => ({
  method: 'GET',
  path,
  serve: ({ config }: Context) => ({
    contentType: path.endsWith('.md') ? 'text/markdown; charset=utf-8' : 'text/plain; charset=utf-8',
    body: write(config.baseUrl),
    headers: { 'cache-control': 'no-cache' },
  }),
}));

export const documents: readonly Document[] = [...texts, ...resourceMetadata];
