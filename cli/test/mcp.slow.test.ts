// Slow: starts the command as an MCP server, once for each story.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import type { McpClient, ProtocolLine } from '@payassent/proof/service/mcp';
import { mcpOverHttp, PROTOCOL_LINES } from '@payassent/proof/service/mcp';
import { startService, type TestService } from '@payassent/proof/service/service';
import { CONNECT_WALLET_DEFINITION, TOOL_DEFINITIONS } from '@payassent/sdk/tools';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { blocksOf, ROOT } from './guides/blocks.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const INFO = { name: 'test', version: '1' };

let service: TestService;
let world: World;
let cli: PayAssent;
beforeAll(async () => {
  service = await startService();
  world = await wholeWorld(service);
  cli = await payassent();
});
afterAll(async () => {
  await cli.remove();
  await service.close();
});

const connected = () => ({ SVC_BASE_URL: service.url, SVC_CONNECTION_TOKEN: world.connectionToken });

interface Start {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
}

/** An official client of one protocol line that has started the command. */
async function open(line: ProtocolLine, start: Start = {}): Promise<McpClient> {
  const { command = process.execPath, args = [MAIN, 'mcp'], env = connected() } = start;
  const parameters = { command, args, env: { ...cli.env, ...env } };
  const connect = async () => {
    if (line === '2025-11-25') {
      const legacy = new LegacyClient(INFO);
      await legacy.connect(new LegacyStdio(parameters) as never);
      return legacy;
    }
    const modern = new ModernClient(INFO, { versionNegotiation: { mode: { pin: line } } });
    await modern.connect(new ModernStdio(parameters));
    return modern;
  };
  const client = (await connect()) as unknown as McpClient;
  onTestFinished(() => client.close());
  return client;
}

let amounts = 0;
function purchase(): Record<string, unknown> {
  amounts += 1;
  return {
    payee: 'Till',
    amount: `5.${String(amounts).padStart(3, '0')}`,
    purpose: 'Tickets',
    intent_id: randomUUID(),
  };
}

describe.each(PROTOCOL_LINES)('payassent mcp and the official client of %s', (line) => {
  it('list every tool and pay once the person approves', async () => {
    const client = await open(line);
    const { tools } = await client.listTools();
    expect(tools).toEqual([...TOOL_DEFINITIONS, CONNECT_WALLET_DEFINITION]);
    const asked = await client.callTool({ name: 'request_payment', arguments: purchase() });
    const { request_id } = asked.structuredContent;
    expect(asked.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    const waiting = client.callTool({ name: 'wait_for_decision', arguments: { request_id, seconds: 50 } });
    await world.wallet.paymentRequests.reportStatus(request_id, { status: 'signed' });
    expect((await waiting).structuredContent).toMatchObject({ outcome: 'approved_not_yet_paid' });
  });

  it('connect a wallet by a code, which the person approves elsewhere', async () => {
    const { agentId, kid, key } = world.registered;
    const home = join(cli.env['HOME'] ?? '', `agent-${line}.seed`);
    await writeFile(home, `${key.seed}\n`, { mode: 0o600 });
    const env = {
      SVC_BASE_URL: service.url,
      PAYASSENT_PROFILE: `paired-${line}`,
      PAYASSENT_AGENT_ID: agentId,
      PAYASSENT_KID: kid,
      PAYASSENT_KEY_FILE: home,
    };
    const client = await open(line, { env });
    const call = async (name: string) => client.callTool({ name, arguments: {} });
    expect((await call('list_payees')).structuredContent).toMatchObject({ error: { code: 'not_connected' } });
    const started = await call('connect_wallet');
    const { code, pairing_uri } = started.structuredContent;
    expect(started.content[0]?.text).toContain(code);
    expect(started.content[0]?.text).toMatch(/[█▀▄]/);
    expect((await call('connect_wallet')).structuredContent).toMatchObject({ status: 'waiting', code });
    const session = new URL(pairing_uri).searchParams.get('session') ?? '';
    await world.wallet.pairing.approve(session, { code });
    expect((await call('connect_wallet')).structuredContent).toMatchObject({ status: 'connected' });
    expect((await call('list_payees')).structuredContent).toMatchObject({ payees: [{ name: 'Till' }] });
    const again = await open(line, { env });
    const status = await again.callTool({ name: 'connection_status', arguments: {} });
    expect(status.structuredContent).toMatchObject({ connection: { status: 'active' } });
  });
});

describe('a client that can open pages', () => {
  it('of the older line gets the address of the page on which the person decides', async () => {
    const client = new LegacyClient(INFO, { capabilities: { elicitation: { url: {} } } });
    const asked: unknown[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return { action: 'decline' };
    });
    const env = { ...cli.env, ...connected() };
    await client.connect(new LegacyStdio({ command: process.execPath, args: [MAIN, 'mcp'], env }) as never);
    onTestFinished(() => client.close());
    const answer = await client.callTool({ name: 'request_payment', arguments: purchase() });
    expect(asked).toMatchObject([{ mode: 'url', url: expect.stringContaining('/wallet/requests/') }]);
    // Declining to open a page decides nothing.
    expect(answer.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
  });

  it('loses nothing when the command is killed between two rounds', async () => {
    const args = purchase();
    const params = {
      name: 'request_payment',
      arguments: args,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': INFO,
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
      },
    };
    const first = await oneMessage(params);
    expect(first.result).toMatchObject({ resultType: 'input_required' });
    const { requestState } = first.result;
    const inputResponses = { review: { action: 'accept' } };
    const second = await oneMessage({ ...params, requestState, inputResponses });
    expect(second.result.structuredContent).toMatchObject({ outcome: 'waiting_for_person' });
    const forged = await oneMessage({ ...params, requestState: `${requestState}x`, inputResponses });
    expect(forged.error).toMatchObject({ code: -32602 });
  });
});

/** Starts the command, sends one message, and kills the command after its response. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses member by member
async function oneMessage(params: Record<string, unknown>): Promise<any> {
  const env = { ...cli.env, ...connected() };
  const child: ChildProcess = spawn(process.execPath, [MAIN, 'mcp'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  let text = '';
  while (!text.includes('\n')) text += String((await once(child.stdout ?? child, 'data'))[0]);
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
  return JSON.parse(text.slice(0, text.indexOf('\n')));
}

describe('the configurations in the guide', () => {
  const GUIDE = 'docs/guides/models.md';
  const SETTINGS = ['PAYASSENT_BASE_URL', 'PAYASSENT_CONNECTION_TOKEN'];
  /** What a client would start, with the command of this checkout instead of the reader's clone. */
  const startOf = (command: string, args: readonly string[], env: Record<string, string>): Start => {
    expect([command, ...args]).toEqual(['node', '/path/to/payassent/cli/bin/payassent.js', 'mcp']);
    expect(Object.keys(env)).toEqual(SETTINGS);
    return { args: [MAIN, ...args.slice(1)] };
  };
  const jsonStarts = () =>
    blocksOf(GUIDE)
      .filter(({ language }) => language === 'json')
      .map(({ code }) => JSON.parse(code))
      .map(({ mcpServers, servers }) => (mcpServers ?? servers).payassent);

  it('start a server that lists the tools', async () => {
    const stdio = jsonStarts().filter(({ command }) => command !== undefined);
    expect(stdio).toHaveLength(2);
    for (const { command, args, env } of stdio) {
      const { tools } = await (await open('2026-07-28', startOf(command, args, env))).listTools();
      expect(tools).toHaveLength(8);
    }
    const claude = blocksOf(GUIDE).find(({ language }) => language === 'sh')?.code ?? '';
    const [, words = ''] = claude.trim().split(' -- ');
    const [command = '', ...args] = words.split(' ');
    const names = [...claude.matchAll(/--env (\w+)=/g)].map(([, name = '']) => [name, '']);
    startOf(command, args, Object.fromEntries(names));
    const codex = blocksOf(GUIDE).find(({ language }) => language === 'toml')?.code ?? '';
    const line = (name: string) => new RegExp(`^${name} = (.+)$`, 'm').exec(codex)?.[1] ?? '';
    const env = Object.fromEntries(
      [...line('env').matchAll(/(\w+) = "/g)].map(([, name = '']) => [name, '']),
    );
    startOf(JSON.parse(line('command')), JSON.parse(line('args')), env);
  });

  it('are published to registries by server.json', async () => {
    const file = new URL('../server.json', import.meta.url);
    const { packages, remotes } = JSON.parse(await readFile(file, 'utf8'));
    const [{ packageArguments, environmentVariables }] = packages;
    expect(environmentVariables.map(({ name }: { name: string }) => name)).toEqual(SETTINGS);
    const args = [MAIN, ...packageArguments.map(({ value }: { value: string }) => value)];
    expect((await (await open('2026-07-28', { args })).listTools()).tools).toHaveLength(8);
    const [{ url, headers }] = remotes;
    const address = url.replace('https://{host}', service.url);
    const value = headers[0].value.replace('{token}', world.connectionToken);
    const remote = await mcpOverHttp(new URL(address).origin, '2025-11-25', { [headers[0].name]: value });
    expect(new URL(address).pathname).toBe('/mcp');
    expect((await remote.listTools()).tools).toHaveLength(7);
  });

  it('over HTTP name the door of the service', () => {
    const [http] = jsonStarts().filter(({ command }) => command === undefined);
    expect(http).toMatchObject({ type: 'http', url: expect.stringMatching(/\/mcp$/) });
    expect(http.headers).toEqual({ Authorization: 'Bearer svc_ct_…' });
  });

  it('have a program next to them that shows the payees', async () => {
    const program = blocksOf(GUIDE).find(({ language }) => language === 'js')?.code ?? '';
    const args = ['--input-type=module', '--eval', program];
    const values = Object.fromEntries(
      SETTINGS.map((name, index) => [name, Object.values(connected())[index]]),
    );
    const options = { cwd: ROOT, env: { ...cli.env, ...values } };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    expect(stdout).toContain('Till');
  });
});
