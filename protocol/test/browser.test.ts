import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));

async function bundle() {
  // No externals and no polyfills: a Node built-in anywhere in the graph makes this fail.
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'Protocol',
    target: 'es2022',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return { result, code: result.outputFiles[0]?.text ?? '' };
}

describe('the protocol package in a browser', () => {
  let bundled: Awaited<ReturnType<typeof bundle>>;
  let page: ReturnType<typeof createContext>;
  const run = (script: string): unknown => runInContext(script, page);

  beforeAll(async () => {
    bundled = await bundle();
    // What every browser has besides the language itself, and nothing of Node.
    page = createContext({ TextEncoder, TextDecoder, URL, URLSearchParams });
    run(bundled.code);
  });

  it('bundles without warning, external or Node built-in', () => {
    expect(bundled.result.warnings).toEqual([]);
    const imports = Object.values(bundled.result.metafile.inputs).flatMap((input) => input.imports);
    expect(imports.filter((one) => one.external === true)).toEqual([]);
    expect(
      Object.keys(bundled.result.metafile.inputs).filter((path) => /^node:|\(disabled\)/.test(path)),
    ).toEqual([]);
  });

  it('stays small enough to send to a phone', () => {
    expect(bundled.code.length).toBeLessThan(400_000);
  });

  it('loads no schema: that library takes most of the start of a command', () => {
    const loaded = Object.keys(bundled.result.metafile.inputs);
    expect(loaded.filter((path) => /\/typebox\/|src\/records\//.test(path))).toEqual([]);
  });

  it('runs where no Node global exists', () => {
    expect(
      run('[typeof process, typeof Buffer, typeof require, typeof global, typeof setTimeout].join()'),
    ).toBe('undefined,undefined,undefined,undefined,undefined');
    expect(run('typeof Protocol.parseToken')).toBe('function');
  });

  it('makes and reads tokens and ids there', () => {
    const script = `
      const fill = (length) => new Uint8Array(length).fill(7);
      const token = Protocol.newToken('connection', fill);
      const parsed = Protocol.parseToken(token);
      [parsed.kind, parsed.bytes.length, Protocol.parseToken(token.slice(0, -1) + '!'), Protocol.isId('pr', Protocol.newId('pr', 1, fill))].join()`;
    expect(run(`(() => { ${script.replace(/\n\s*\[/, '\n return [')} })()`)).toBe('connection,32,,true');
  });

  it('checks addresses of every family there, with their checksums', () => {
    // EIP-55 and BIP-173 examples, and a Stellar account of SEP-23.
    const addresses = {
      stellar_testnet: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
      ethereum_mainnet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      bitcoin_mainnet: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    };
    for (const [network, address] of Object.entries(addresses)) {
      const broken = address.replace(/.$/, (last) => (last === 'a' ? 'q' : 'a'));
      expect(run(`Protocol.checkAddress('${network}', '${address}').ok`), network).toBe(true);
      expect(run(`Protocol.checkAddress('${network}', '${broken}').ok`), network).toBe(false);
    }
  });

  it('computes digests and exact sums there', () => {
    expect(run('Protocol.sha256Hex("abc").slice(0, 8) + Protocol.addDecimals("0.1", "0.2")')).toBe(
      'ba7816bf0.3',
    );
    expect(
      run(
        'Protocol.intentDigest({ b: 1, a: [true] }) === Protocol.intentDigest({ a: [true], b: 1, request_id: "x" })',
      ),
    ).toBe(true);
  });

  it('signs and verifies there: assertion, webhook', async () => {
    const assertion = run(`Protocol.buildAssertion({
      agentId: 'agt_1', kid: 'k', audience: 'https://pay.example', jti: 'j', nowMs: 1e12,
      sign: (bytes) => Protocol.signEd25519(bytes, new Uint8Array(32).fill(1)),
    })`);
    page.assertion = await assertion;
    expect(
      run(`(() => {
      const parsed = Protocol.parseAssertion(assertion);
      return parsed.ok && Protocol.verifyAssertionSignature(parsed.assertion, Protocol.ed25519PublicKey(new Uint8Array(32).fill(1)));
    })()`),
    ).toBe(true);
    expect(
      run(`(() => {
      const secrets = [Protocol.formatWebhookSecret(new Uint8Array(32))];
      const headers = Protocol.signWebhook({ id: 'e', timestampSeconds: 5, body: 'é', secrets });
      return Protocol.verifyWebhook({ headers, body: 'é', secrets, nowMs: 5000 }).ok;
    })()`),
    ).toBe(true);
  });
});
