import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentOf, connect, type World, wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import { AgentClient, ConnectionClient, memoryStore, type Store } from '@payassent/sdk';
import { fileStore } from '@payassent/sdk/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleToken } from './harness/scripted.ts';

const BUILT = new URL('../dist/node/index.js', import.meta.url);

let service: TestService;
let world: World;
let root: string;
beforeAll(async () => {
  if (!existsSync(fileURLToPath(BUILT))) throw new Error('run "npm run build" first');
  root = await mkdtemp(join(tmpdir(), 'svc-store-'));
  service = await startService();
  world = await wholeWorld(service);
});
afterAll(async () => {
  await service?.close();
  await rm(root, { recursive: true, force: true });
});

let folders = 0;
function freshFolder(): string {
  folders += 1;
  return join(root, `store-${folders}`);
}

describe('an agent with a store', () => {
  const agentWith = (store: Store) => agentOf(service, world.registered, { store });

  it('that is started again after a rotation continues with its own token, kept or not', async () => {
    const folder = freshFolder();
    const first = agentWith(fileStore(folder));
    const { client, connection, connection_token } = await connect(first, world.wallet);
    const { connection_id: connectionId } = connection;
    await client.paymentRequests.list();
    const rotated = await world.wallet.connections.rotateToken(connectionId);
    await client.paymentRequests.list();
    const { connection_token: own } = await first.connections.collectToken(connectionId);
    expect([connection_token, rotated.connection_token]).not.toContain(own);

    const again = agentWith(fileStore(folder));
    for (const grant of [{ connectionId }, { connectionId, connectionToken: connection_token }])
      await again.connection(grant).paymentRequests.list();
    expect(await fileStore(folder).get(`token/${connectionId}`)).toBe(own);
    const forgetful = agentWith(memoryStore()).connection({
      connectionId,
      connectionToken: connection_token,
    });
    await forgetful.paymentRequests.list();
  });

  it('finds the token that another process has collected, and one that was never used', async () => {
    const folder = freshFolder();
    const { client, connection } = await connect(agentWith(fileStore(folder)), world.wallet);
    const { connection_id: connectionId } = connection;
    const other = agentWith(fileStore(folder)).connection({ connectionId });
    await Promise.all([client.paymentRequests.list(), other.paymentRequests.list()]);
    await world.wallet.connections.rotateToken(connectionId);
    await client.paymentRequests.list();
    await other.paymentRequests.list();
    await world.wallet.connections.rotateToken(connectionId);
    await Promise.all([client.paymentRequests.list(), other.paymentRequests.list()]);

    // As after a crash between the exchange and the store.
    const { connection_id: lost } = (await connect(agentWith(memoryStore()), world.wallet)).connection;
    const store = memoryStore();
    await agentWith(store).connection({ connectionId: lost }).paymentRequests.list();
    expect(await store.get(`token/${lost}`)).toMatch(/^svc_ct_/);
  });

  it('uses no collected token that the store has not taken', async () => {
    const full = {
      ...memoryStore(),
      get: () => undefined,
      set: () => Promise.reject(new Error('disk full')),
      delete: () => undefined,
    };
    const { connection, connection_token } = await connect(world.agent, world.wallet);
    const { connection_id: connectionId } = connection;
    await world.wallet.connections.rotateToken(connectionId);
    const client = agentWith(full).connection({ connectionId, connectionToken: connection_token });
    await expect(client.paymentRequests.list()).rejects.toThrow('disk full');
    const { connection_token: kept } = await world.agent.connections.collectToken(connectionId);
    expect(kept).toMatch(/^svc_ct_/);
  });

  it('is refused without one, because a rotation would lock it out', () => {
    const { agentId, kid, key } = world.registered;
    const bare = { baseUrl: service.url, agentId, kid, key } as unknown as ConstructorParameters<
      typeof AgentClient
    >[0];
    expect(() => new AgentClient(bare)).toThrow('store is needed: use fileStore(path)');
    const wrong = { ...bare, store: 'agent.json' as unknown as Store };
    expect(() => new AgentClient(wrong)).toThrow('store must have get, set and delete');
    const nowhere = { baseUrl: service.url, store: memoryStore() };
    expect(() => new ConnectionClient(nowhere)).toThrow('Give a connectionToken');
  });

  it('reads events on from where it was, and the unfinished one again', async () => {
    const store = fileStore(freshFolder());
    const { client } = await connect(agentWith(store), world.wallet);
    const input = { recipient_id: world.payee.recipientId, payment: { amount: '1' } };
    for (let count = 0; count < 3; count += 1) {
      const { payment_request } = await client.paymentRequests.create(input);
      const { request_id, connection_id } = payment_request;
      await world.wallet.paymentRequests.reportStatus(request_id, { status: 'rejected', connection_id });
    }
    const readUntil = async (last: number) => {
      const seen: number[] = [];
      for await (const { sequence } of client.paymentRequests.events({ cursor: 'worker' })) {
        seen.push(sequence);
        if (sequence === last) break;
      }
      return seen;
    };
    expect(await readUntil(2)).toEqual([1, 2]);
    expect(await readUntil(3)).toEqual([2, 3]);
    const bare = new ConnectionClient({ baseUrl: service.url, connectionToken: sampleToken('connection') });
    expect(() => bare.paymentRequests.events({ cursor: 'worker' })).toThrow(
      'cursor needs a client with a store',
    );
    expect(() => client.paymentRequests.events({ cursor: 'worker', since: 1 })).toThrow('not both');
  });
});

describe('fileStore', () => {
  /** A child process that works on a folder until it ends or is killed. */
  function processAt(folder: string, script: string) {
    const code = `
      import { fileStore } from ${JSON.stringify(BUILT.href)};
      const store = fileStore(${JSON.stringify(folder)});
      ${script}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const ended = new Promise<string>((resolve) => child.on('close', () => resolve(output)));
    const begun = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    return { child, ended, begun };
  }

  it('keeps any name and value, for its owner only, and leaves nothing else behind', async () => {
    const folder = freshFolder();
    const store = fileStore(folder);
    expect(await store.get('absent')).toBeUndefined();
    await store.delete('absent');
    const names = ['key/con_1/Bestellung № 7/../..', 'KEY/CON_1/x', 'key/con_1/x', ''];
    for (const name of names) await store.set(name, `value of ${name}`);
    await store.set('key/con_1/x', 'second');
    await store.setIfAbsent('key/con_1/x', 'third');
    await store.setIfAbsent('new', 'first');
    expect(await Promise.all([...names, 'new'].map((name) => store.get(name)))).toEqual([
      ...names.slice(0, 2).map((name) => `value of ${name}`),
      'second',
      'value of ',
      'first',
    ]);
    await store.delete('new');
    expect(await store.get('new')).toBeUndefined();
    const files = await readdir(folder);
    expect(files).toHaveLength(names.length);
    for (const file of files) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(() => fileStore('')).toThrow('fileStore needs the path of a folder');
  });

  it('gives four processes that store keys at the same time the same key under each name', async () => {
    const folder = freshFolder();
    const script = `
      const names = Array.from({ length: 40 }, (_, index) => 'key/' + index);
      for (const name of names) await store.setIfAbsent(name, name + ' of ' + process.pid);
      console.log(JSON.stringify(await Promise.all(names.map((name) => store.get(name)))));`;
    const told = await Promise.all([1, 2, 3, 4].map(() => processAt(folder, script).ended));
    expect(new Set(told).size).toBe(1);
    expect(JSON.parse(told[0] ?? '')).toHaveLength(40);
  });

  it('has the whole of one value or another after a process was killed while it wrote', async () => {
    const folder = freshFolder();
    const script = `
      for (let turn = 0; ; turn += 1) {
        await store.set('token', String(turn % 10).repeat(50_000));
        if (turn === 3) console.log('begun');
      }`;
    for (let round = 0; round < 5; round += 1) {
      const { child, begun, ended } = processAt(folder, script);
      await begun;
      child.kill('SIGKILL');
      await ended;
      expect(await fileStore(folder).get('token')).toMatch(/^(\d)\1{49999}$/);
    }
  });
});
