import { logKeysOf, readCheckpoint, readLog } from '@payassent/proof/log/public-log';
import { startWitness, type TestWitness } from '@payassent/proof/log/witness';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { ed25519PublicKey } from '@payassent/protocol';
import { grow, leafHash, type NoteKey, rootOf, signNote } from '@payassent/protocol/log';
import { expect, it, onTestFinished } from 'vitest';
import { checkpointText, withSignatures } from './checkpoint.ts';
import { integrateJob } from './integrate-job.ts';
import { witnessJob } from './witness-job.ts';

async function witnesses(...seeds: number[]): Promise<TestWitness[]> {
  const started = await Promise.all(
    seeds.map((n) => startWitness(`witness-${n}.example`, new Uint8Array(32).fill(n))),
  );
  onTestFinished(async () => {
    await Promise.all(started.map(({ receiver }) => receiver.close()));
  });
  return started;
}

async function appendOne({ db, context }: TestService): Promise<void> {
  await db`select append_to_log('payee.activated', now(), array['evd_1'],
    array[json_build_object('domain', 'a.example', 'evidence_digest', 'sha256:' || repeat('ab', 32))::text])`;
  await integrateJob.run(context);
}

const askWitnesses = ({ app, context }: TestService) => witnessJob(app.parts.log).run(context);

async function logOf(service: TestService): Promise<NoteKey> {
  const [key] = await logKeysOf(service.url);
  if (!key) throw new Error('no key of the log is published');
  return key;
}

it('witnesses that see the log grow cosign its checkpoints, one of them after its record was lost here', async () => {
  const [first, second] = (await witnesses(1, 2)) as [TestWitness, TestWitness];
  const env = { SVC_LOG_WITNESSES: `${first.setting}, ${second.setting}` };
  const service = await serviceForTest({ jobs: false, env });
  for (const witness of [first, second]) witness.trust(await logOf(service));
  const keys = [first.key, second.key];
  for (const size of [1, 2, 3]) {
    await appendOne(service);
    expect((await readCheckpoint(service.url, keys)).witnesses).toEqual([]);
    await askWitnesses(service);
    const seen = await readLog(service.url, keys);
    expect(seen.checkpoint.size).toBe(size);
    expect(seen.witnesses).toEqual(keys);
  }
  await askWitnesses(service);
  expect(first.signed).toEqual([1, 2, 3]);

  await service.db`delete from log_witnesses where vkey like 'witness-1%'`;
  await appendOne(service);
  await askWitnesses(service);
  expect((await readCheckpoint(service.url, keys)).witnesses).toEqual([second.key]);
  await askWitnesses(service);
  expect((await readCheckpoint(service.url, keys)).witnesses).toEqual(keys);
});

it('a silent witness, and one whose cosignature does not verify, delay nothing and sign nothing', async () => {
  const [silent, liar, honest] = (await witnesses(3, 4, 5)) as [TestWitness, TestWitness, TestWitness];
  silent.receiver.script({ kind: 'answer', status: 503 });
  liar.receiver.script(({ text }) => {
    const note = text.slice(text.indexOf('\n\n') + 2);
    const seed = new Uint8Array(32).fill(9);
    return { kind: 'answer', status: 200, body: signNote(note, 'witness-4.example', seed) };
  });
  const env = { SVC_LOG_WITNESSES: [silent, liar, honest].map(({ setting }) => setting).join(',') };
  const service = await serviceForTest({ jobs: false, env });
  honest.trust(await logOf(service));
  await appendOne(service);
  await askWitnesses(service);
  const keys = [silent.key, liar.key, honest.key];
  expect((await readLog(service.url, keys)).witnesses).toEqual([honest.key]);
  const { status, body } = await service.call('GET', '/health');
  expect([status, body.status, body.checks.witnesses]).toEqual([
    200,
    'degraded',
    { 'witness-3.example': 'failing', 'witness-4.example': 'failing', 'witness-5.example': 'ok' },
  ]);
  expect((await service.call('GET', '/ready')).status).toBe(200);
});

it('a witness that was shown the log refuses a fork of it', async () => {
  const [witness] = (await witnesses(6)) as [TestWitness];
  const service = await serviceForTest({ jobs: false, env: { SVC_LOG_WITNESSES: witness.setting } });
  witness.trust(await logOf(service));
  await appendOne(service);
  await askWitnesses(service);
  expect(witness.signed).toEqual([1]);
  // What a host with the key could sign for another reader: a tree of two entries with a different beginning.
  const { edge } = grow(
    { size: 0, hashes: [] },
    ['x', 'y'].map((text) => leafHash(Buffer.from(text))),
  );
  const { baseUrl } = service.context.config;
  const forked = withSignatures(checkpointText(baseUrl, 2, rootOf(edge)), service.app.parts.log, []);
  expect(ed25519PublicKey(service.context.signing.log.seed)).toEqual((await logOf(service)).publicKey);
  const anyProof = Buffer.alloc(32).toString('base64');
  expect(witness.answer({ text: `old 1\n${anyProof}\n\n${forked}` })).toMatchObject({ status: 422 });
  expect(witness.signed).toEqual([1]);
});
