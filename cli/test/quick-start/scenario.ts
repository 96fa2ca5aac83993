import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { type Caller, createCaller } from '@payassent/proof/service/client';
import { startDnsServer } from '@payassent/proof/surroundings/dns-server';
import { startMailCatcher } from '@payassent/proof/surroundings/mail-catcher';
import { expect, it } from 'vitest';
import { type Block, blocksOf } from '../guides/blocks.ts';
import { type Machine, startMachine } from './machine.ts';

/*
 * Runs inside of network.sh. This process is the world around the machines: the name server, the mail server, a shop,
 * an agent and a wallet, which know the service by its public name alone.
 */
const FOLDER = process.env['QUICK_START_FOLDER'] ?? '';
const HERE = '10.17.0.1';
const URL = 'https://pay.example.com';
const BLOCKS = blocksOf('docs/guides/quick-start-operator.md').filter(({ machines }) => machines.length > 0);
const VERSION = process.env['QUICK_START_POSTGRES'] ?? '15';

const machines = new Map<string, Machine>();
const at = (name: string): Machine => {
  const machine = machines.get(name) ?? startMachine(name, FOLDER);
  machines.set(name, machine);
  return machine;
};

function blocksUnder(step: string): Block[] {
  const blocks = BLOCKS.filter(({ heading }) => heading === step);
  expect(blocks, step).not.toEqual([]);
  return blocks;
}

/** Types the block at the machines that the guide names. */
async function type(block: Block | undefined): Promise<string> {
  let output = '';
  for (const name of block?.machines ?? [])
    output += await at(name).type(block?.code.replaceAll(/\b15(?=[ /]main)/g, VERSION) ?? '');
  return output;
}

async function follow(step: string): Promise<string> {
  let output = '';
  for (const block of blocksUnder(step)) output += await type(block);
  return output;
}

const copySettings = async () => {
  await at('app1').type('cp payassent.env /media/');
  await at('app2').type('cp /media/payassent.env .');
};

/** Polls until it is so: everything here is slow on a slow machine. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 300_000; Date.now() < endMs; ) {
    if (await isSo()) return;
    await pause(250);
  }
  throw new Error(`not within five minutes: ${what}`);
}

/**
 * Retries after 502 and 503, as the SDK does: a proxy on a busy machine may briefly lose its connection to a service.
 */
function patient(call: Caller): Caller {
  return async (method, path, sent) => {
    for (let turn = 0; ; turn += 1) {
      const received = await call(method, path, sent);
      if (turn === 60 || ![502, 503].includes(received.status)) return received;
      await pause(1_000);
    }
  };
}

const psql = (machine: string, query: string) =>
  at(machine).type(`su postgres -c 'psql -At payassent' <<< "${query}"`);

async function payThrough(call: Caller, stage: PaymentStage): Promise<string> {
  const { request_id } = await pendingRequest({ call }, stage);
  await succeed(report({ call }, stage, request_id, { status: 'signed' }));
  const sent = { status: 'broadcasted', tx_hash: 'ab'.repeat(32) };
  await succeed(report({ call }, stage, request_id, sent));
  await succeed(report({ call }, stage, request_id, { status: 'confirmed' }));
  const { body } = await succeed(readRequest({ call }, stage, request_id));
  expect(body.payment_request.status).toBe('confirmed');
  return request_id;
}

const servedBy = async (machine: string) => {
  const lines = await at(machine).type(
    `curl --silent --fail -H "authorization: Bearer $(sed -n 's/^SVC_METRICS_TOKEN=//p' payassent.env)" http://127.0.0.1:8787/metrics`,
  );
  const counts = lines.matchAll(/^svc_http_request_duration_seconds_count\{.*route="\/v1.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};

it('the quick start for hosts, typed on dedicated machines', async () => {
  const tls = { key: read('smtp.key'), cert: read('smtp.crt') };
  const login = { user: 'payassent', password: 'mail-password' };
  const smtp = await startMailCatcher({ host: HERE, port: 587, login, tls });
  const dns = await startDnsServer({ host: HERE, port: 53 });
  const bare = createCaller(URL);
  const call = patient(bare);

  // As Debian's package leaves it.
  for (const name of ['db1', 'db2'])
    await at(name).type(
      `rm -rf /etc/postgresql/* /var/lib/postgresql/*\nmake-ssl-cert generate-default-snakeoil\npg_createcluster ${VERSION} main --start`,
    );
  expect(await follow('1. A database and its standby')).toMatch(/^sync$/m);

  expect(await follow('2. The settings')).toContain('The database is at schema');
  await copySettings();
  const started = await follow('3. Two services');
  expect(started.match(/"status":\s*"ok"/g)).toHaveLength(2);
  expect(started.match(/"level":\s*"safe"/g)).toHaveLength(2);

  await at('proxy').type(`export PAYASSENT_TLS='tls /media/pay.crt /media/pay.key'`);
  await follow('4. A proxy with TLS');
  await follow('5. Mail, and a look at everything');
  const stage = await paymentStage({ call, smtp, dns, url: URL });
  expect(smtp.mails[0]).toMatchObject({ from: 'no-reply@pay.example.com' });
  const first = await payThrough(call, stage);
  await until('both have served', async () => {
    await succeed(readRequest({ call }, stage, first));
    return (await servedBy('app1')) > 0 && (await servedBy('app2')) > 0;
  });
  for (const path of ['/metrics', '/health', '/ready']) expect((await call('GET', path)).status).toBe(404);

  // What was paid is on the standby, and no service works with the standby alone.
  const status = `select status from payment_requests where request_id = '${first}'`;
  await until('it is on the standby', async () => (await psql('db2', status)).includes('confirmed'));
  expect(await psql('db2', 'select pg_is_in_recovery()')).toContain('t');
  const standbyAlone = `
    SVC_PORT=8788 DATABASE_URL='postgres://payassent:service-password@db2.internal/payassent?sslmode=require' \\
      payassent serve > standby.log 2>&1 &
    until curl --silent http://127.0.0.1:8788/ready || ! kill -0 $!; do sleep 1; done
    kill $! || true
    wait $! || true
    cat standby.log`;
  const refused = await at('app2').type(standbyAlone);
  expect(refused).toMatch(/standby/);
  expect(refused).not.toContain('"status":"ready"');

  await at('db1').kill();
  await until('calls are 503', async () => (await bare('GET', '/v1/networks')).status === 503);
  expect(await follow('6. When the primary is gone')).toMatch(/"status":\s*"ready"/);
  const { body } = await succeed(readRequest({ call }, stage, first));
  expect(body.payment_request.status).toBe('confirmed');
  await payThrough(call, stage);

  expect(await follow('7. Backups')).toContain('Written and restored on trial');

  // A new master key: both machines are restarted twice, one after the other, while a shop continues requesting
  // payments.
  let isOver = false;
  const faults: string[] = [];
  const shop = async () => {
    while (!isOver) {
      const { status } = await call('GET', '/v1/networks').catch(() => ({ status: 'no response' }));
      if (status !== 200) faults.push(String(status));
      await pause(500);
    }
  };
  const shopping = shop();
  const [learn, swap, rotate] = blocksUnder('9. A new master key');
  for (const block of [learn, swap]) {
    await type(block);
    await copySettings();
    await follow('8. Upgrades');
  }
  expect(await type(rotate)).toContain('Moved to the current key');
  isOver = true;
  await shopping;
  expect(faults).toEqual([]);
  await payThrough(call, stage);
});

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
