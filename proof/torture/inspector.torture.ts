import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TOOL_DEFINITIONS } from '@payassent/sdk/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentStage, paymentStage } from '../stage/people/payments.ts';
import { startService, type TestService } from '../stage/service/service.ts';

/* The MCP inspector's command line, fetched for the run with the Node that it needs: too large for a dependency. */

const run = promisify(execFile);
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const NODE = `node-${process.platform}-${process.arch}`;
const MAIN = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));

let service: TestService;
let stage: PaymentStage;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-inspector-'));
  const install = ['install', '--no-audit', '--no-fund', '--prefix', folder, INSPECTOR, `${NODE}@22`];
  await run('npm', install);
  service = await startService();
  stage = await paymentStage(service);
}, 600_000);
afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the inspector prints about one call. */
async function inspect(target: readonly string[], ...args: readonly string[]) {
  const bin = join(folder, 'node_modules', NODE, 'bin/node');
  const inspector = join(folder, 'node_modules/.bin/mcp-inspector');
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const { stdout } = await run(bin, [inspector, '--cli', ...target, ...args], { env });
  return JSON.parse(stdout);
}

describe.each(['http', 'stdio'])('over %s', (way) => {
  const target = () =>
    way === 'http'
      ? [`${service.url}/mcp`, '--header', `Authorization: Bearer ${stage.connectionToken}`]
      : [
          process.execPath,
          MAIN,
          'mcp',
          '-e',
          `SVC_BASE_URL=${service.url}`,
          '-e',
          `SVC_CONNECTION_TOKEN=${stage.connectionToken}`,
        ];

  it('lists the tools and calls each of them', async () => {
    const { tools } = await inspect(target(), '--method', 'tools/list');
    const names = TOOL_DEFINITIONS.map(({ name }) => name);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(names));
    const call = async (name: string, args: Record<string, string> = {}) => {
      const pairs = Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]);
      const answer = await inspect(target(), '--method', 'tools/call', '--tool-name', name, ...pairs);
      return answer.structuredContent;
    };
    expect(await call('connection_status')).toMatchObject({
      connection: { connection_id: stage.connectionId },
    });
    expect(await call('list_payees')).toMatchObject({ payees: [{ name: 'Shop' }] });
    const amount = way === 'http' ? '"1.5"' : '"2.5"';
    const asked = await call('request_payment', {
      payee: 'Shop',
      amount,
      purpose: 'Tickets',
      intent_id: randomUUID(),
    });
    expect(asked).toMatchObject({ outcome: 'waiting_for_person' });
    const { request_id } = asked;
    expect(await call('wait_for_decision', { request_id, seconds: '1' })).toMatchObject({ request_id });
    expect(await call('get_payment', { request_id })).toMatchObject({ request_id });
    expect(await call('list_payments')).toHaveProperty('payments');
    expect(await call('withdraw_payment', { request_id })).toMatchObject({ outcome: 'withdrawn' });
  });
});
