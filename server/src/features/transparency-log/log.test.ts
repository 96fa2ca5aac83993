// Long: waits for the log to integrate its entries.
import { randomBytes } from 'node:crypto';
import { databaseBefore } from '@payassent/proof/database/older-database';
import { MISSPELT } from '@payassent/proof/log/lying-operator';
import { logKeysOf, readCheckpoint, readKeys, readLog } from '@payassent/proof/log/public-log';
import { succeed, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, createPayee, replacePayee, verifyPayee } from '@payassent/proof/people/payees';
import { secondService } from '@payassent/proof/service/second-service';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { parseEntry } from '@payassent/protocol/evidence';
import { leafHash, openCheckpoint, verifyConsistency, verifyInclusion } from '@payassent/protocol/log';
import { describe, expect, it } from 'vitest';
import { logPayees } from './append.ts';
import { integrateJob } from './integrate-job.ts';
import { proveConsistency, proveInclusion, rootAt } from './prove.ts';

async function integrateAll({ context }: TestService): Promise<void> {
  while (await integrateJob.run(context)) {}
}

/** As acts would: many entries of unknown domains. */
async function appendMany({ db }: TestService, count: number): Promise<void> {
  const contents = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ domain: `d${n}.example`, evidence_digest: `sha256:${randomBytes(32).toString('hex')}` }),
  );
  const subjects = contents.map((_, n) => `evd_${n}`);
  await db`select append_to_log('payee.activated', now(), ${subjects}::text[], ${contents}::text[])`;
}

const typesOf = (entries: readonly string[]) => entries.map((entry) => parseEntry(entry)?.type);

describe('the log of payees', () => {
  it('shows every activation, archiving and suspension under its domain, in the clear, and nothing of refused acts', async () => {
    const service = await serviceForTest();
    const entriesOf = async (size: number) => {
      await expect.poll(async () => (await readCheckpoint(service.url)).checkpoint.size).toBe(size);
      return (await readLog(service.url)).entries;
    };
    const merchant = await verifiedMerchant(service);
    expect((await readLog(service.url)).entries).toEqual([]);
    const payee = await activePayee(service, merchant);
    const other = await activePayee(service, merchant);
    const replaced = await replacePayee(service, merchant, payee);
    expect(typesOf(await entriesOf(3))).toEqual(Array(3).fill('payee.activated'));

    const draft = (await createPayee(service, merchant)).body;
    const place = {
      recipientId: draft.recipient.recipient_id,
      recipientVersionId: draft.recipient_version.recipient_version_id,
      version: 1,
    };
    const { evidence } = (await succeed(verifyPayee(service, merchant, place))).body;
    const path = `/v1/recipients/${place.recipientId}/versions/${place.recipientVersionId}/activate`;
    const refused = await service.call('POST', path, {
      session: merchant.session,
      body: { evidence_id: evidence.evidence_id, evidence_digest: `sha256:${'0'.repeat(64)}`, version: 1 },
    });
    expect(refused.status).toBe(409);
    await succeed(
      service.call('PATCH', `/v1/recipients/${payee.recipientId}`, {
        session: merchant.session,
        body: { status: 'archived', version: replaced.version },
      }),
    );
    await succeed(
      service.call('DELETE', `/v1/merchant-domains/${merchant.domainId}`, { session: merchant.session }),
    );
    const entries = await entriesOf(5);
    expect(typesOf(entries)).toEqual([
      'payee.activated',
      'payee.activated',
      'payee.activated',
      'payee.archived',
      'payee.suspended',
    ]);
    const digests = entries.map((entry) => {
      const read = parseEntry(entry);
      expect(read).toMatchObject({ domain: merchant.domain });
      return read && 'evidence_digest' in read ? read.evidence_digest : undefined;
    });
    // The archived payee is the one that replaced the first, the suspended one is the other.
    expect(digests[3]).toBe(digests[2]);
    const [active] = await service.db`
      select e.evidence_digest from recipient_versions v join recipient_evidence e using (evidence_id)
      where v.recipient_id = ${other.recipientId}`;
    expect(digests[4]).toBe(active?.['evidence_digest']);
  });

  it('has an entry within two seconds of its commit', async () => {
    const service = await serviceForTest();
    const merchant = await verifiedMerchant(service);
    // A busy machine may be late now and then; a pass that ran too rarely would be late every time.
    let bestMs = Infinity;
    for (let size = 1; size <= 5 && bestMs >= 2000; size += 1) {
      await activePayee(service, merchant);
      const committed = performance.now();
      await expect
        .poll(async () => (await readCheckpoint(service.url)).checkpoint.size, { interval: 20 })
        .toBe(size);
      bestMs = Math.min(bestMs, performance.now() - committed);
    }
    expect(bestMs).toBeLessThan(2000);
  });

  it('begins with the payees that were active before there was a log, under the present time', async () => {
    const { db, upgrade } = await databaseBefore('transparency_log');
    await db`insert into merchants (merchant_id, name, status, created_at, updated_at) values ('mer_1', 'Shop', 'active', now(), now())`;
    await db`insert into recipients (recipient_id, merchant_id, name, status, created_at, updated_at)
      values ('rcp_1', 'mer_1', 'Shop', 'active', '2025-01-01', '2025-01-01')`;
    await db`insert into recipient_versions (recipient_version_id, recipient_id, merchant_id, number, status, name, rail,
        network, asset, address, decimals, created_at, activated_at, evidence_id)
      values ('rcv_1', 'rcp_1', 'mer_1', 1, 'active', 'Shop', 'stellar_xlm', 'stellar_testnet', 'XLM', 'G', 7,
        '2025-01-01', '2025-01-01', 'evd_1'),
      ('rcv_2', 'rcp_1', 'mer_1', 2, 'verified', 'Shop', 'stellar_xlm', 'stellar_testnet', 'XLM', 'G', 7,
        '2025-01-01', null, null)`;
    await db`insert into recipient_evidence (evidence_id, recipient_version_id, merchant_id, type, source_id, domain,
        method, evidence_digest, created_at, expires_at)
      values ('evd_1', 'rcv_1', 'mer_1', 'domain_proof', 'dom_1', 'shop.example', 'dns', 'sha256:x', '2025-01-01', '2025-01-02')`;
    await upgrade();
    const rows = await db`select type, subject, content, at > '2026-01-01' as is_now from log_queue`;
    expect(rows.map((row) => ({ ...row }))).toEqual([
      {
        type: 'payee.activated',
        subject: 'evd_1',
        content: { domain: 'shop.example', evidence_digest: 'sha256:x' },
        is_now: true,
      },
    ]);
  });
});

describe('tiles', () => {
  it('serve the whole tree, full ones forever, and nothing that is not there', async () => {
    const service = await serviceForTest({ jobs: false });
    await appendMany(service, 700);
    await integrateAll(service);
    const { checkpoint } = await readLog(service.url);
    expect(checkpoint.size).toBe(700);
    const get = (path: string) => fetch(`${service.url}/log/${path}`);
    const full = await get('tile/0/001');
    expect(full.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(full.headers.get('content-type')).toBe('application/octet-stream');
    expect((await full.arrayBuffer()).byteLength).toBe(256 * 32);
    expect((await (await get('tile/0/002.p/188')).arrayBuffer()).byteLength).toBe(188 * 32);
    expect((await (await get('tile/1/000.p/2')).arrayBuffer()).byteLength).toBe(64);
    for (const path of [
      'tile/0/002',
      'tile/0/002.p/189',
      'tile/1/000',
      'tile/2/000.p/1',
      'tile/entries/003',
      'tile/x',
    ])
      expect((await get(path)).status, path).toBe(404);
  });

  it('prove each entry and each earlier tree, at sizes around the borders of tiles', async () => {
    const service = await serviceForTest({ jobs: false });
    const { db } = service;
    const roots = new Map<number, Uint8Array>();
    for (const size of [1, 2, 255, 256, 257, 600]) {
      await appendMany(service, size - (await readLog(service.url)).checkpoint.size);
      await integrateAll(service);
      roots.set(size, (await readCheckpoint(service.url)).checkpoint.root);
    }
    const entries = (await readLog(service.url)).entries.map((entry) => Buffer.from(entry, 'utf8'));
    for (const [size, root] of roots) {
      expect(new Uint8Array(await rootAt(db, size))).toEqual(root);
      for (const position of [0, 1, 254, 255, 256, 511, 512, 599].filter((at) => at < size)) {
        const proof = await proveInclusion(db, position, size);
        const leaf = leafHash(entries[position] as Buffer);
        expect(verifyInclusion(leaf, position, size, proof, root), `${position} of ${size}`).toBe(true);
      }
      for (const [newSize, newRoot] of roots) {
        if (newSize < size) continue;
        const proof = await proveConsistency(db, size, newSize);
        expect(verifyConsistency({ size, root }, { size: newSize, root: newRoot }, proof)).toBe(true);
      }
    }
  });
});

it('a proof reads the hashes it is made of and no others, however large the log is', async () => {
  const { db } = await serviceForTest({ jobs: false });
  const size = 200_000;
  for (const [level, width] of [
    [0, 1],
    [1, 256],
    [2, 65_536],
  ] as const)
    for (let first = 0; first < Math.floor(size / width); first += 25_000)
      await db`
        insert into log_hashes (level, position, hash)
        select ${level}::int, n, decode(md5(n::text) || md5('x' || n), 'hex')
        from generate_series(${first}::int, ${Math.min(first + 25_000, Math.floor(size / width)) - 1}::int) n`;
  await db`analyze log_hashes`;
  const [read] = await db.begin(async (tx) => {
    await proveInclusion(tx as never, 123_456, size);
    return tx<{ seq_tup_read: number; idx_tup_fetch: number }[]>`
      select seq_tup_read, idx_tup_fetch from pg_stat_xact_user_tables where relname = 'log_hashes'`;
  });
  expect(read?.seq_tup_read).toBe(0);
  expect(read?.idx_tup_fetch).toBeLessThan(1_000);
});

it.each(MISSPELT)('nothing is written for a domain with %s', async (_, domain) => {
  const payees = [{ evidenceId: 'evd_1', domain, evidenceDigest: `sha256:${'0'.repeat(64)}` }];
  const written = logPayees({} as never, {} as never, 'payee.activated', payees);
  await expect(written).rejects.toThrow('cannot be written into the log');
});

describe('keys', () => {
  it('are listed in the open, and previous ones stay after a change of the master key', async () => {
    const service = await serviceForTest({ jobs: false });
    await appendMany(service, 3);
    await integrateAll(service);
    const before = await readKeys(service.url);
    expect(before.map(({ use, alg, retired_at }) => ({ use, alg, retired_at }))).toEqual(
      expect.arrayContaining([
        { use: 'evidence', alg: 'Ed25519', retired_at: null },
        { use: 'log', alg: 'Ed25519', retired_at: null },
        { use: 'webhook', alg: 'Ed25519', retired_at: null },
      ]),
    );
    const former = await readCheckpoint(service.url);
    const second = await secondService(service, service.clock, {
      SVC_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'),
      SVC_MASTER_KEY_PREVIOUS: service.env['SVC_MASTER_KEY'],
    });
    const after = (await second.call('GET', '/.well-known/svc-keys.json')).body.keys as typeof before;
    expect(after).toHaveLength(6);
    expect(after.slice(0, 3).map(({ retired_at }) => retired_at)).toEqual([null, null, null]);
    for (const { kid, public_key } of before)
      expect(after).toContainEqual(
        expect.objectContaining({ kid, public_key, retired_at: expect.any(String) }),
      );
    const keys = await logKeysOf(service.url);
    expect(keys.some((key) => openCheckpoint(former.note, key) !== undefined)).toBe(true);
    expect((await readCheckpoint(service.url)).checkpoint).toEqual(former.checkpoint);
  });

  it('reveal nothing secret, and the service cannot take one away', async () => {
    const service = await serviceForTest({ jobs: false });
    const { text } = await service.call('GET', '/.well-known/svc-keys.json');
    expect(Object.keys(JSON.parse(text).keys[0]).sort()).toEqual([
      'alg',
      'created_at',
      'kid',
      'public_key',
      'retired_at',
      'use',
    ]);
    await expect(service.context.db`delete from signing_keys`).rejects.toThrow('permission denied');
  });
});

it('no one can change, remove or reorder an entry: not the service, not its owner by mistake', async () => {
  const service = await serviceForTest({ jobs: false });
  await appendMany(service, 2);
  await integrateAll(service);
  const asService = service.context.db;
  for (const table of ['log_entries', 'log_hashes']) {
    await expect(asService`update ${asService(table)} set position = 7`).rejects.toThrow('permission denied');
    await expect(asService`delete from ${asService(table)}`).rejects.toThrow('permission denied');
    await expect(service.db`delete from ${service.db(table)}`).rejects.toThrow('cannot be changed');
  }
  await expect(service.db`update log_head set size = 1`).rejects.toThrow('cannot shrink');
});

it('calls to the log are counted by address where limits are on', async () => {
  const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'anonymous=3/min' } });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await fetch(`${service.url}/log/checkpoint`)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});
