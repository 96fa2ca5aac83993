import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { OTHER_ENTRIES, publicApi, renderReference } from './render.ts';

const api = publicApi();
const others = Object.fromEntries(OTHER_ENTRIES.map((name) => [name, publicApi(`${name}/index.ts`)]));
const { records } = api;
const entries = new Map([api, ...Object.values(others)].flatMap((one) => [...one.entries]));

/** A type parameter of the declaration itself, or an error code used as a name. */
function isParameter(name: string, type: string): boolean {
  const { signature } = entries.get(name) ?? { signature: '' };
  const parameters = new RegExp(`${name}<([^>]*)`).exec(signature)?.[1] ?? '';
  return (
    new RegExp(`\\b${type}\\b`).test(parameters) ||
    signature.includes(`[${type} in `) ||
    /^[A-Z0-9_]+$/.test(type)
  );
}

describe('the public API', () => {
  it('has a documentation comment on everything that is exported, and on every public member', () => {
    const silent = [...entries.values()].flatMap((entry) => [
      ...(entry.doc === '' ? [entry.name] : []),
      ...entry.members
        .filter((member) => member.doc === '' && !/^(?:readonly )?(?:code)\b/.test(member.signature))
        .map((member) => `${entry.name}.${member.name}`),
    ]);
    expect(silent).toEqual([]);
  });

  it('shows how everything is used that the quick starts use', () => {
    const used = {
      AgentClient: ['connection'],
      AgentInvitations: ['connect'],
      AgentPayments: ['create'],
      ConnectionPaymentRequests: ['create', 'waitForStatus', 'events'],
      WalletPaymentRequests: ['inbox', 'reportStatus'],
    };
    const silent = Object.entries(used).flatMap(([name, methods]) =>
      methods.filter((method) => !entries.get(name)?.members.find((one) => one.name === method)?.hasExample),
    );
    const functions = ['AgentClient', 'agentKeyFromSeed', 'generateAgentKey', 'outcome', 'verifyWebhook'];
    expect([...silent, ...functions.filter((name) => !entries.get(name)?.hasExample)]).toEqual([]);
  });

  it('exports every type that its signatures name', () => {
    const known = new Set([...entries.keys(), ...records]);
    const builtIn = new Set(
      'Error Promise AsyncGenerator AbortSignal ArrayBuffer Record Readonly Exclude Headers Uint8Array Response RequestInit Parameters Omit Extract Pick Partial NonNullable'.split(
        ' ',
      ),
    );
    const named = [...entries.values()].flatMap(({ name, signature, members }) =>
      [signature, ...members.map((member) => member.signature)].flatMap((text) =>
        [...text.replace(/'[^']*'|`[^`]*`/g, '').matchAll(/\b[A-Z]\w+\b/g)].map(([type]) => ({ name, type })),
      ),
    );
    const missing = named.filter(
      ({ name, type }) => !known.has(type) && !builtIn.has(type) && !isParameter(name, type),
    );
    expect(missing.map(({ name, type }) => `${name}: ${type}`)).toEqual([]);
  });

  it('is what docs/SDK-REFERENCE.md lists (npx vitest run sdk/test/api-page -u)', async () => {
    await expect(renderReference(api, others)).toMatchFileSnapshot(page('SDK-REFERENCE.md'));
  });
});

describe('docs/SDK.md and the README of the package', () => {
  const shownIn = (path: string) => {
    const text = readFileSync(path, 'utf8');
    return [...text.matchAll(/^```ts\n(.*?)\n```$/gms)].map(([, code]) => code);
  };

  it('show exactly the programs of sdk/test/examples, each where it belongs', () => {
    expect(shownIn(page('SDK.md'))).toEqual(EXAMPLES.map(([file, name]) => region(file, name)));
    const readme = fileURLToPath(new URL('../../README.md', import.meta.url));
    expect(shownIn(readme)).toEqual(['connect', 'ask', 'wait'].map((name) => region('agent', name)));
  });
});

/** In the order of the page. */
const EXAMPLES = [
  ...['connect', 'ask', 'wait', 'recover'].map((name) => ['agent', name] as const),
  ...['express', 'fastify', 'next', 'hono'].map((name) => ['webhooks', name] as const),
  ['policies', 'policies'],
] as const;

/** The part of an example between its region marks, moved to the margin. */
function region(file: string, name: string): string | undefined {
  const text = readFileSync(new URL(`../examples/${file}.ts`, import.meta.url), 'utf8');
  const found = new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n\\s*// #endregion`).exec(text)?.[1];
  return found?.replace(/^ {2}/gm, '');
}

function page(name: string): string {
  return fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));
}
