import type { Block } from './blocks.ts';

const DRAWN = 'a drawing or a listing, nothing to type';
const IN_A_WORLD = 'cli/test/dev.slow.test.ts runs each of these commands in a separate world';
const BESIDE = 'the same world runs while the page is typed here';
const ON_MACHINES = 'cli/test/quick-start.slow.test.ts types the whole page at machines made of namespaces';
const CONFIGURED = 'cli/test/mcp.slow.test.ts starts what each configures, and runs the program';
const RECIPE = 'server/test/pgbouncer-auth-query.slow.test.ts reads it from the page and runs it';
const EXAMPLES = 'sdk/test/examples are type-checked and run; sdk/test/api-page compares them with the page';

/**
 * Blocks that are not run as they are: their language, how they begin (empty: every block of the page in this
 * language), and why not literally, with what covers them instead.
 */
const CLAIMED: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  'README.md': [
    ['sh', 'npm ci && npm run check', 'it is what runs this test'],
    ['sh', 'npm run dev ', IN_A_WORLD],
  ],
  'docs/ERRORS.md': [
    ['json', '', 'written from the table of errors; server/test/generated.test.ts compares it'],
  ],
  'docs/STATES.md': [['mermaid', '', 'drawn from the code; server/test/generated.test.ts compares it']],
  'docs/ARCHITECTURE.md': [['', '', DRAWN]],
  'docs/proof/torture.md': [['', '', DRAWN]],
  'docs/auditors/README.md': [
    ['json', '', 'the forms of an entry and of a statement; cli/test/evidence.test.ts verifies real ones'],
  ],
  'docs/SDK.md': [['ts', '', EXAMPLES]],
  'docs/SDK-REFERENCE.md': [['ts', '', EXAMPLES]],
  'docs/guides/models.md': [
    ['sh', '', CONFIGURED],
    ['toml', '', CONFIGURED],
    ['json', '', CONFIGURED],
    ['js', '', CONFIGURED],
  ],
  'docs/guides/try-it.md': [
    ['sh', 'npm ci\nnpm run dev ', IN_A_WORLD],
    ['sh', 'payassent dev ', IN_A_WORLD],
    ['sh', 'curl ', 'cli/test/surroundings.slow.test.ts runs every curl of this page'],
  ],
  'docs/guides/quick-start-agent.md': [['sh', 'npm ci\nnpm run dev\n', BESIDE]],
  'docs/guides/quick-start-auditor.md': [['sh', 'npm ci\nnpm run dev\n', BESIDE]],
  'docs/guides/quick-start-wallet.md': [['sh', 'npm ci\nnpm run dev\n', BESIDE]],
  'docs/guides/quick-start-merchant.md': [['sh', 'npm ci\nnpm run dev\n', BESIDE]],
  'docs/guides/webhooks.md': [
    ['js', '', 'server/src/features/webhooks/guide.test.ts runs it as a receiver'],
    ['', 'POST /your/path', DRAWN],
  ],
  'docs/operators/database.md': [
    ['sql', 'create role pgbouncer', RECIPE],
    ['ini', 'auth_type = ', RECIPE],
  ],
  'docs/operators/scaling.md': [
    ['', 'wal_level = replica', 'settings of a PostgreSQL; torture/failover starts a primary with them'],
  ],
  'docs/operators/running.md': [
    ['json', '{ "head": {', 'server/src/features/audit/chain.test.ts reads it from a service'],
    ['sh', 'payassent audit verify --head', 'cli/test/audit.slow.test.ts runs it with a real head'],
    [
      'sh',
      'payassent suspend merchant',
      'cli/test/audit.slow.test.ts and server/src/features/suspensions run them on records that exist',
    ],
    ['sh', 'payassent team reset-passkeys', 'cli/test/audit.slow.test.ts runs it on an operator that exists'],
  ],
  'docs/guides/quick-start-operator.md': [
    ['sh', 'cd /etc/postgresql', ON_MACHINES],
    ['sh', 'su postgres', ON_MACHINES],
    ['sh', 'pg_ctlcluster 15 main', ON_MACHINES],
    ['sh', 'export PAYASSENT_HOST', ON_MACHINES],
    ['sh', 'payassent doctor', ON_MACHINES],
    ['sh', 'curl --silent --fail --retry', ON_MACHINES],
  ],
};

export const CLAIMS = Object.values(CLAIMED).flat();

/** The claim of a block, if it has one. */
export function claimOf({ file, language, code }: Block): (typeof CLAIMS)[number] | undefined {
  return CLAIMED[file]?.find(([claimed, begins]) => claimed === language && code.startsWith(begins));
}
