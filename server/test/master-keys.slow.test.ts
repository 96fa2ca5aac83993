// Slow: starts services with old and new keys.
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { paymentStage } from '@payassent/proof/people/payments';
import { useConnection } from '@payassent/proof/people/wallets';
import { activeEndpoint } from '@payassent/proof/people/webhooks';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '../src/app.ts';
import { type Env, parseConfig } from '../src/config/index.ts';
import { createContext } from '../src/context.ts';
import { OperatorError } from '../src/errors.ts';
import { openSecrets, type SealedSecrets } from '../src/features/webhooks/endpoints/secrets.ts';
import { MasterKeyError } from '../src/keys/master-keys.ts';
import { createKeys } from '../src/lib/keys.ts';
import { systemRandom } from '../src/lib/random.ts';
import { abandonMasterKey, masterKeyStatus, rotateMasterKeys } from '../src/maintenance/commands.ts';

const NEW_KEY = Buffer.alloc(32, 8).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');
const silent = () => undefined;

/** Starts another service on the database as far as its checks go, and ends it. */
async function tryStart(service: TestService, env: Env): Promise<void> {
  const config = parseConfig({ ...service.env, ...env });
  const context = await createContext(config, service.database.target, { clock: service.clock });
  const app = await createApp(context, { jobs: false });
  try {
    await app.start();
  } finally {
    await app.stop();
    await context.close();
  }
}

const refusalOf = (service: TestService, env: Env): Promise<string> =>
  tryStart(service, env).then(
    () => 'started',
    (error: unknown) => {
      expect(error).toBeInstanceOf(MasterKeyError);
      return (error as Error).message;
    },
  );

const formerOf = (service: TestService) => service.env['SVC_MASTER_KEY'] ?? '';

/** One of everything that is read with a key again. */
async function populate(service: TestService) {
  const stage = await paymentStage(service);
  const receiver = await startHttpReceiver();
  onTestFinished(() => receiver.close());
  const endpoint = await activeEndpoint(service, stage.merchant, receiver, { event_types: ['*'] });
  return { stage, endpoint };
}

describe('a start', () => {
  it('without a key that something stored needs is refused, by name, number and fix', async () => {
    const service = await serviceForTest();
    const { keys } = service.context;
    await populate(service);
    const message = await refusalOf(service, { SVC_MASTER_KEY: NEW_KEY });
    expect(message).toContain(`${keys.currentKeyId} (1 webhook secrets, 1 open sessions`);
    expect(message).toContain('1 connection tokens that agents can collect');
    expect(message).toContain('SVC_MASTER_KEY_PREVIOUS');
    const both = { SVC_MASTER_KEY: NEW_KEY, SVC_MASTER_KEY_PREVIOUS: formerOf(service) };
    expect(await refusalOf(service, both)).toBe('started');
  });

  it('with a key that the database has never seen is refused although nothing stored needs one', async () => {
    const service = await serviceForTest();
    const { currentKeyId } = service.context.keys;
    const message = await refusalOf(service, { SVC_MASTER_KEY: OTHER_KEY });
    expect(message).toContain(`only with ${currentKeyId}`);
    expect(await refusalOf(service, { SVC_MASTER_KEY: formerOf(service) })).toBe('started');
  });

  it('with another key under a known id is refused by its check value', async () => {
    const service = await serviceForTest();
    const config = parseConfig(service.env);
    const owner = await createContext(config, service.database.target);
    await owner.db`update master_keys set check_value = sha256('another key')`;
    await owner.close();
    expect(await refusalOf(service, {})).toContain('is not the key that this database knows by that id');
  });

  it('of two fresh keys on one fresh database admits one', async () => {
    const service = await serviceForTest();
    const config = parseConfig(service.env);
    const owner = await createContext(config, service.database.target);
    await owner.db`delete from master_keys`;
    await owner.close();
    const outcomes = await Promise.all(
      [NEW_KEY, OTHER_KEY].map((key) => refusalOf(service, { SVC_MASTER_KEY: key })),
    );
    expect(outcomes.filter((one) => one === 'started')).toHaveLength(1);
  });

  it('makes no key file in place of a lost one', async () => {
    const service = await serviceForTest();
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-keys-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    // As the embedded default: a key in a file, which is gone.
    const config = { ...parseConfig({ ...service.env, SVC_DATA_DIR: dataDir }), masterKey: undefined };
    const context = await createContext(config, service.database.target, { clock: service.clock });
    const app = await createApp(context, { jobs: false });
    await expect(app.start()).rejects.toThrow('never worked with master key');
    await app.stop();
    await context.close();
    await expect(access(join(dataDir, 'master.key'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a change of key', () => {
  it('moves what can be moved, counts what is left, and lets the previous key go when nothing needs it', async () => {
    const service = await serviceForTest();
    const { stage, endpoint } = await populate(service);
    const former = service.context.keys.currentKeyId;
    const env = { ...service.env, SVC_MASTER_KEY: NEW_KEY, SVC_MASTER_KEY_PREVIOUS: formerOf(service) };
    const needs = (report: { keys: { key_id: string; needed_by: { name: string }[] }[] }, keyId: string) =>
      report.keys.find(({ key_id }) => key_id === keyId)?.needed_by.map(({ name }) => name);

    const before = await masterKeyStatus(env, silent);
    expect(needs(before, former)).toEqual([
      'webhook secrets',
      'open sessions',
      'connection tokens that agents can collect',
    ]);
    const rotated = await rotateMasterKeys(env, silent);
    expect(rotated.moved).toContainEqual({ name: 'webhook secrets', rows: 1 });
    expect(needs(rotated, former)).toEqual(['open sessions', 'connection tokens that agents can collect']);
    expect((await rotateMasterKeys(env, silent)).moved.map(({ rows }) => rows)).toEqual([0, 0, 0]);

    const keys = createKeys(Buffer.from(NEW_KEY, 'base64'), [], systemRandom);
    const [row] = await service.db<SealedSecrets[]>`
      select * from webhook_endpoints where webhook_endpoint_id = ${endpoint.endpointId}`;
    expect(row && openSecrets(keys, row, service.clock.now())).toEqual([endpoint.secret]);

    expect(await useConnection(service, stage.connectionToken)).toBe('200 ok');
    await succeed(
      service.call('DELETE', '/v1/merchant-sessions/current', { session: stage.merchant.session }),
    );
    // A token that is in use works without the key; the next collect makes another.
    expect((await rotateMasterKeys(env, silent)).moved).toContainEqual({
      name: 'connection tokens that agents can collect',
      rows: 1,
    });
    expect(await useConnection(service, stage.connectionToken)).toBe('200 ok');
    const after = await masterKeyStatus(env, silent);
    expect(needs(after, former)).toEqual([]);
    expect(await refusalOf(service, { SVC_MASTER_KEY: NEW_KEY, SVC_MASTER_KEY_PREVIOUS: '' })).toBe(
      'started',
    );
  });
});

describe('a key that is lost for good', () => {
  it('is given up only by command: what it alone could read ends, and the service starts without it', async () => {
    const service = await serviceForTest();
    const { stage, endpoint } = await populate(service);
    const lost = service.context.keys.currentKeyId;
    const env = { ...service.env, SVC_MASTER_KEY: NEW_KEY };
    await expect(abandonMasterKey(service.env, silent, lost)).rejects.toThrow(OperatorError);
    await expect(abandonMasterKey(env, silent, 'k0000000000000000')).rejects.toThrow('Nothing here was made');
    const { ended } = await abandonMasterKey(env, silent, lost);
    expect(ended).toContainEqual({ name: 'open sessions', rows: 1 });
    const { session } = stage.merchant;
    expect(outcome(await service.call('GET', '/v1/merchants/current', { session }))).toBe(
      '401 token_revoked',
    );
    const rows = await service.db`
      select status from webhook_endpoints where webhook_endpoint_id = ${endpoint.endpointId}`;
    expect(rows[0]?.['status']).toBe('disabled');
    expect(await refusalOf(service, { SVC_MASTER_KEY: NEW_KEY })).toBe('started');
  });
});
