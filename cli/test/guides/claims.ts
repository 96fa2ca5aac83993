import type { Block } from './blocks.ts';

/** Blocks that are not run as they stand, each with what is run instead. */
export interface Claim {
  file: string;
  /** How the block begins; without it every block of the page in this language is meant. */
  begins?: string;
  language: string;
  /** Why not literally, and what covers it. */
  because: string;
}

const DRAWN = 'a drawing or a listing, nothing to type';

export const CLAIMS: readonly Claim[] = [
  { file: 'README.md', language: 'mermaid', because: DRAWN },
  {
    file: 'docs/STATES.md',
    language: 'mermaid',
    because: 'drawn from the code; server/test/generated.test.ts compares it',
  },
  { file: 'docs/ARCHITECTURE.md', language: '', because: DRAWN },
  { file: 'docs/TORTURE.md', language: '', because: DRAWN },
  {
    file: 'docs/AUDITORS.md',
    language: 'json',
    because: 'the forms of an entry and of a statement; cli/test/evidence.test.ts verifies real ones',
  },
  ...['sh', 'toml', 'json', 'js'].map((language) => ({
    file: 'docs/guides/models.md',
    language,
    because: 'cli/test/mcp.slow.test.ts starts what each configures, and runs the program',
  })),
  {
    file: 'README.md',
    language: 'sh',
    begins: 'npm ci && npm run check',
    because: 'it is what runs this test',
  },
  {
    file: 'README.md',
    language: 'sh',
    begins: 'npm run demo -- --fast',
    because: 'cli/test/demo.slow.test.ts runs the demo without pauses',
  },
  ...['npm ci\nnpm run dev\n', 'npm run try'].map((begins) => ({
    file: 'README.md',
    language: 'sh',
    begins,
    because: 'cli/test/dev.slow.test.ts runs both commands in a world of their own',
  })),
  {
    file: 'docs/guides/demo.md',
    language: 'sh',
    begins: 'payassent dev ',
    because: 'cli/test/dev.slow.test.ts runs each of these commands in a world of its own',
  },
  ...['docs/guides/quick-start-agent.md', 'docs/guides/quick-start-merchant.md'].map((file) => ({
    file,
    language: 'sh',
    begins: 'npm ci\nnpm run dev:world\n',
    because:
      'the same world runs on free ports here; world/src/dev/dev-world.slow.test.ts starts it on its own',
  })),
  {
    file: 'docs/guides/demo.md',
    language: 'sh',
    begins: 'npm ci\nnpm run demo ',
    because: 'cli/test/demo.slow.test.ts runs the demo, with and without pauses',
  },
  {
    file: 'docs/guides/demo.md',
    language: 'sh',
    begins: 'npm run demo -- --port 9000',
    because: 'cli/test/demo.slow.test.ts runs the demo behind a proxy with these two options',
  },
  ...['curl -X POST', 'curl -X PUT http://127.0.0.1:8826', 'curl -X PUT http://127.0.0.1:8827'].map(
    (begins) => ({
      file: 'docs/guides/demo.md',
      language: 'sh',
      begins,
      because: 'world/src/dev/dev-world.slow.test.ts runs every curl of this page',
    }),
  ),
  {
    file: 'docs/guides/webhooks.md',
    language: 'js',
    because: 'server/src/features/webhooks/guide.test.ts runs it as a receiver',
  },
  { file: 'docs/guides/webhooks.md', language: '', begins: 'POST /your/path', because: DRAWN },
  { file: 'docs/guides/automation-policies.md', language: '', because: DRAWN },
  {
    file: 'docs/OPERATIONS.md',
    language: '',
    begins: 'wal_level = replica',
    because: 'settings of a PostgreSQL; proof/torture/failover starts a primary with them',
  },
  {
    file: 'docs/OPERATIONS.md',
    language: 'json',
    begins: '{ "head": {',
    because: 'server/src/features/audit/chain.test.ts reads it from a service',
  },
  {
    file: 'docs/OPERATIONS.md',
    language: 'sh',
    begins: 'payassent audit verify --head',
    because: 'cli/test/audit.slow.test.ts runs it with a real head',
  },
  {
    file: 'docs/OPERATIONS.md',
    language: 'sh',
    begins: 'payassent suspend merchant',
    because: 'cli/test/audit.slow.test.ts and server/src/features/suspensions run them on records that exist',
  },
  {
    file: 'docs/OPERATIONS.md',
    language: 'sh',
    begins: 'payassent team reset-passkeys',
    because: 'cli/test/audit.slow.test.ts runs it on an operator that exists',
  },
  ...[
    'cd /etc/postgresql',
    'su postgres',
    'pg_ctlcluster 15 main',
    'export PAYASSENT_HOST',
    'payassent doctor',
    'curl --silent --fail --retry',
  ].map((begins) => ({
    file: 'docs/guides/quick-start-operator.md',
    language: 'sh',
    begins,
    because: 'cli/test/quick-start.slow.test.ts types the whole page at machines made of namespaces',
  })),
  ...['docs/SDK.md', 'docs/SDK-REFERENCE.md'].map((file) => ({
    file,
    language: 'ts',
    because: 'sdk/test/examples are type-checked and run; sdk/test/api-page compares them with the page',
  })),
];

export function claimOf(block: Block): Claim | undefined {
  return CLAIMS.find(
    ({ file, language, begins = '' }) =>
      file === block.file && language === block.language && block.code.startsWith(begins),
  );
}
