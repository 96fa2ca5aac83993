// Slow: compiles and runs verifiers in other languages.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lyingOperator } from '@payassent/proof/log/lying-operator';
import { logKeysOf, readCheckpoint } from '@payassent/proof/log/public-log';
import { allIntegrated } from '@payassent/proof/people/evidence';
import { paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { encodeBase64 } from '@payassent/protocol';
import { clearEntryText } from '@payassent/protocol/evidence';
import { formatVerifierKey } from '@payassent/protocol/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../docs/verify/log/main.go', import.meta.url));
/** Where Debian's golang-golang-x-mod-dev puts its sources. */
const LIBRARIES = '/usr/share/gocode';
const hasGo =
  spawnSync('go', ['version']).status === 0 && existsSync(`${LIBRARIES}/src/golang.org/x/mod/sumdb/tlog`);

const run = promisify(execFile);

describe('the note and tlog packages of Go', () => {
  if (!hasGo) {
    it('are left out here: golang-go and golang-golang-x-mod-dev are not installed', () => {
      process.stderr.write('docs/verify/log was not run: install golang-go and golang-golang-x-mod-dev\n');
    });
    return;
  }
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'payassent-go-'));
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: LIBRARIES, GOCACHE: join(folder, 'cache') };
    await run('go', ['build', '-o', join(folder, 'log'), SOURCE], { env });
    service = await startService();
  }, 600_000);
  afterAll(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });
  /** Not in this process's turn: the service that is read lives in it. */
  const judge = (...args: string[]): Promise<string> =>
    run(join(folder, 'log'), args).then(
      ({ stdout }) => stdout.trim(),
      ({ stdout }: { stdout: string }) => stdout.trim(),
    );

  it('accept our log: its checkpoint, every tile, every entry, and that it has only grown', async () => {
    const [key] = await logKeysOf(service.url);
    if (!key) throw new Error('the service publishes no key of its log');
    const stage = await paymentStage(service);
    await allIntegrated(service);
    const { checkpoint: before } = await readCheckpoint(service.url);
    // Over the edge of the first tile: three entries for each.
    for (let n = 0; n < 100; n += 1) {
      const { request_id } = await pendingRequest(service, stage);
      await report(service, stage, request_id, { status: 'rejected' });
    }
    await allIntegrated(service);
    const { checkpoint } = await readCheckpoint(service.url);
    const seen = [String(before.size), encodeBase64(before.root)];
    expect(await judge(service.url, formatVerifierKey(key), ...seen)).toBe(
      `accepted: ${checkpoint.size} entries`,
    );
  });

  it('refuse a checkpoint of another key, a forked log and a shrunk one', async () => {
    const operator = await lyingOperator();
    const entries = Array.from({ length: 5 }, (_, n) =>
      clearEntryText('payee.activated', new Date('2026-11-15T12:00:00Z'), {
        domain: 'shop.example',
        evidence_digest: `sha256:${String(n).padStart(64, '0')}`,
      }),
    );
    operator.show(entries);
    const key = formatVerifierKey(operator.logKey);
    const [size = '', root = ''] = operator.checkpoint().split('\n').slice(1, 3);
    expect(await judge(operator.url, key, size, root)).toBe('accepted: 5 entries');
    const stranger = formatVerifierKey({ ...operator.logKey, publicKey: new Uint8Array(32).fill(1) });
    expect(await judge(operator.url, stranger)).toMatch(/^refused: /);
    operator.show([...entries.slice(1), ...entries]);
    expect(await judge(operator.url, key, size, root)).toMatch(
      /^refused: the log does not begin with the tree of 5/,
    );
    operator.show(entries.slice(0, 3));
    expect(await judge(operator.url, key, size, root)).toMatch(/^refused: the log had 5 entries and has 3/);
  });
});
