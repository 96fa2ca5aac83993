import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ConnectionClient, type Fetch, outcome, WalletClient } from '@payassent/sdk';
import { paymentTools } from '@payassent/sdk/tools';
import { freePort } from '../../stage/free-port.ts';
import { activePayee } from '../../stage/people/payees.ts';
import { type PaymentStage, paymentStage } from '../../stage/people/payments.ts';
import { type ServiceProcess, startProcess } from '../../stage/service/process.ts';
import type { TestService } from '../../stage/service/service.ts';
import { createRandom, type Random } from '../run/random.ts';
import { startGateway } from './gateway.ts';

/*
 * Agents that buy, over MCP and over the SDK, and everything that goes wrong between a model and a service: messages
 * and responses that are lost, responses that come too late, a gateway that responds with 502, 504 or an error page,
 * the service killed and restarted, tools called twice, words and keys that a model invents again after it lost them. A
 * person approves every request, and its agent waits for it. Judged by the database's final state.
 */

interface Plan {
  purchases: number;
  seed: string;
  /** Concurrent agents, each with a separate connection. */
  agents: number;
  /** How often the service is killed or stopped, alternately, and started again. */
  kills: number;
}

interface Report {
  purchases: number;
  /** Purchases with exactly one approved request; all of them, when all is well. */
  paidOnce: number;
  paidTwice: string[];
  notPaid: string[];
  calls: number;
  faults: number;
  kills: number;
  /** Waits for a decision, over the SDK and over MCP. */
  waits: number;
  /** Waits that ended without a result, or with another than the database has. In a correct system there are none. */
  untrueWaits: string[];
  /** The guard stopped an agent that had lost its key: without it these would be paid twice. */
  duplicatesStopped: number;
  /** The guard stopped a purchase that only resembled another. The person confirmed it, and it was made. */
  falseAlarms: number;
}

interface Purchase {
  order: string;
  payee: string;
  amount: string;
  /** The agent crashes after it received the success and before it stores it. */
  isForgotten: boolean;
}

/** What a model remembers. It may lose all of it. */
interface Memory {
  intentId: string;
  purpose: string;
  secondOf: string | undefined;
}

type Content = Record<string, unknown>;
type CallTool = (name: string, args: Record<string, unknown>) => Promise<Content>;

const PAYEES = ['Bakery', 'Harbour Café', 'Printer', 'Station'];
const PRICES = ['4.90', '9.99', '12.50', '49'];
const WORDS = ['Buy', 'Pay for', 'Purchase', 'Order', 'Settle'];
/** A purchase that needs more than this is stuck, and reported as not paid. */
const MOST_ATTEMPTS = 400;

export async function runPurchases(service: TestService, plan: Plan): Promise<Report> {
  const random = createRandom(plan.seed);
  const port = await freePort();
  const env = { ...service.env, SVC_PORT: String(port) };
  const url = `http://127.0.0.1:${port}`;
  let running: ServiceProcess = await startProcess(env);
  const report = emptyReport(plan);
  const stages = await Promise.all(Array.from({ length: plan.agents }, () => stageFor(service)));
  const orders = Array.from({ length: plan.purchases }, (_, at) =>
    purchaseOf(random.child(`order ${at}`), at),
  );
  const done = new AbortController();
  const people = stages.map((stage) => approveAll(url, stage, done.signal));
  const gateway = await startGateway(url, random.child('gateway'), () => {
    report.faults += 1;
  });
  let started = 0;
  const killEvery = Math.ceil(plan.purchases / (plan.kills + 1));
  const killing = async () => {
    await running.end(report.kills % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
    running = await startProcess(env);
    report.kills += 1;
  };
  let kill: Promise<void> = Promise.resolve();
  try {
    await Promise.all(
      stages.map(async (stage, at) => {
        const agent = agentOf(gateway.url, stage, random.child(`agent ${at}`), report);
        const waits: Promise<void>[] = [];
        await agent.begin();
        for (let next = orders[started++]; next; next = orders[started++]) {
          if (started % killEvery === 0 && started < plan.purchases) kill = kill.then(killing);
          const requestId = await agent.buy(next);
          if (requestId !== undefined) waits.push(agent.waitFor(requestId));
        }
        await Promise.all(waits);
        await agent.close();
      }),
    );
    await kill;
    await untilNothingWaits(service, stages);
  } finally {
    done.abort();
    await Promise.all(people);
    await kill.catch(() => undefined);
    gateway.close();
    await running.end();
  }
  return judged(service, stages, orders, report);
}

function emptyReport({ purchases }: Plan): Report {
  return {
    purchases,
    paidOnce: 0,
    paidTwice: [],
    notPaid: [],
    calls: 0,
    faults: 0,
    kills: 0,
    waits: 0,
    untrueWaits: [],
    duplicatesStopped: 0,
    falseAlarms: 0,
  };
}

async function stageFor(service: TestService): Promise<PaymentStage> {
  const stage = await paymentStage(service);
  for (const name of PAYEES) await activePayee(service, stage.merchant, { name });
  return stage;
}

/** Most prices are unique; some are shared by several purchases, so that honest purchases resemble each other. */
function purchaseOf(random: Random, at: number): Purchase {
  const amount = random.chance(0.05)
    ? (random.pick(PRICES) ?? '1')
    : `${random.between(1, 900)}.${String(random.between(1, 99)).padStart(2, '0')}`;
  return { order: `order ${at}`, payee: random.pick(PAYEES) ?? 'Bakery', amount, isForgotten: at % 5 === 0 };
}

function memoryOf(random: Random, { order }: Purchase): Memory {
  return { intentId: randomUUID(), purpose: `${random.pick(WORDS)} ${order}`, secondOf: undefined };
}

function agentOf(url: string, stage: PaymentStage, random: Random, report: Report) {
  const send = faultyFetch(random.child('network'), report);
  const connection = new ConnectionClient({
    baseUrl: url,
    connectionToken: stage.connectionToken,
    fetch: send,
    maxRetries: 1,
    timeoutMs: 20_000,
  });
  const tools = paymentTools(connection);
  const overSdk: CallTool = async (name, args) => {
    const tool = tools.find((candidate) => candidate.name === name);
    return (await tool?.call(args))?.structuredContent ?? {};
  };
  const mcp = mcpCaller(url, stage.connectionToken, send);
  const person = new WalletClient({
    baseUrl: url,
    deviceId: stage.device.device_id,
    deviceToken: stage.device.token,
  });

  /** Only the person can decide whether it is the same purchase, by the words of each in the wallet. */
  const isSamePurchase = async (requests: unknown, { order }: Purchase) => {
    for (const { request_id: id } of requests as { request_id: string }[]) {
      const { payment_request: shown } = await insist(() => person.paymentRequests.get(id));
      const [item] = (shown.display?.['items'] ?? []) as { name: string }[];
      if (item?.name === order) return true;
    }
    return false;
  };

  const askOnce = async (call: CallTool, purchase: Purchase, memory: Memory): Promise<Content> => {
    report.calls += 1;
    const { order, payee, amount } = purchase;
    const second = memory.secondOf === undefined ? {} : { second_payment_of: memory.secondOf };
    const args = {
      payee,
      amount,
      purpose: memory.purpose,
      items: [{ name: order }],
      intent_id: memory.intentId,
      ...second,
    };
    if (!random.chance(0.1)) return call('request_payment', args);
    const [answer] = await Promise.all([call('request_payment', args), call('request_payment', args)]);
    return answer;
  };

  const buy = async (purchase: Purchase): Promise<string | undefined> => {
    const call = random.chance(0.5) ? overSdk : mcp.call;
    let memory = memoryOf(random, purchase);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const answer = await askOnce(call, purchase, memory).catch((): Content => ({ error: { code: 'cut' } }));
      if (answer['outcome'] === 'possible_duplicate') {
        const earlier = answer['earlier_requests'] as { request_id: string }[];
        if (await isSamePurchase(earlier, purchase)) {
          report.duplicatesStopped += 1;
          return earlier[0]?.request_id;
        }
        report.falseAlarms += 1;
        memory.secondOf = earlier[0]?.request_id;
        continue;
      }
      if (answer['error'] === undefined && !purchase.isForgotten) return String(answer['request_id']);
      if (answer['error'] === undefined) memory = memoryOf(random, purchase);
      else if (random.chance(0.3)) memory = memoryOf(random, purchase);
      else if (random.chance(0.5)) memory.purpose = `${random.pick(WORDS)} ${purchase.order} again`;
      if (answer['error'] !== undefined) await pause(50);
    }
    return undefined;
  };

  /** Everybody approves: every other end of a wait is untrue. */
  const waitFor = async (requestId: string): Promise<void> => {
    report.waits += 1;
    const ended = random.chance(0.5)
      ? overSdkUntilPaid(connection, requestId)
      : overMcpUntilPaid(mcp.call, requestId);
    const end = await ended.catch((error: Error) => `${error.name}: ${error.message}`);
    if (end !== 'paid') report.untrueWaits.push(`${requestId}: ${end}`);
  };
  return { begin: () => insist(() => connection.current()), buy, waitFor, close: mcp.close };
}

/** Longer than the run itself: no wait may end before the truth is known. */
const WAIT_MS = 1_800_000;

async function overSdkUntilPaid({ paymentRequests }: ConnectionClient, requestId: string): Promise<string> {
  return outcome(await paymentRequests.waitForStatus(requestId, { timeoutMs: WAIT_MS }));
}

/** A model that gets a result to wait calls again; also after a call that failed. */
async function overMcpUntilPaid(call: CallTool, requestId: string): Promise<string> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const args = { request_id: requestId, seconds: 20 };
    const { outcome: told } = await call('wait_for_decision', args).catch((): Content => ({}));
    if (typeof told === 'string' && !UNDECIDED.includes(told)) return told;
    await pause(50);
  }
  return 'no response';
}

const UNDECIDED = ['waiting_for_person', 'approved_not_yet_paid'];

/** One client for as long as it lasts; a new one after a failure, as programs do. */
function mcpCaller(url: string, token: string, send: Fetch): { call: CallTool; close(): Promise<void> } {
  let client: Promise<Client> | undefined;
  const open = async () => {
    const fresh = new Client(
      { name: 'agent', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const options = {
      requestInit,
      fetch: (address: string | URL, init?: RequestInit) => send(String(address), init ?? {}),
    };
    await fresh.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), options));
    return fresh;
  };
  return {
    async call(name, args) {
      client ??= open();
      try {
        const answer = await (await client).callTool({ name, arguments: args });
        return answer.structuredContent as Content;
      } catch (error) {
        client = undefined;
        throw error;
      }
    },
    close: async () => (await client?.catch(() => undefined))?.close(),
  };
}

function faultyFetch(random: Random, report: Report): Fetch {
  return async (url, init) => {
    const fate = random.weighted([
      ['arrives', 90],
      ['is lost', 4],
      ['gets no response', 4],
      ['gets a late response', 2],
    ]);
    if (fate !== 'arrives') report.faults += 1;
    if (fate === 'is lost') throw new TypeError('lost');
    const response = await fetch(url, init);
    if (fate === 'arrives') return response;
    await response.arrayBuffer().catch(() => undefined);
    throw fate === 'gets no response' ? new TypeError('cut') : new DOMException('late', 'TimeoutError');
  };
}

/** Until the service is there again. */
async function insist<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (attempt >= MOST_ATTEMPTS) throw error;
      await pause(100);
    }
  }
}

/** A person who approves everything as fast as it comes. */
async function approveAll(url: string, { device }: PaymentStage, signal: AbortSignal): Promise<void> {
  const wallet = new WalletClient({ baseUrl: url, deviceId: device.device_id, deviceToken: device.token });
  while (!signal.aborted) {
    for (const [status, next] of STEPS) {
      const page = await wallet.paymentRequests.list({ status, limit: 100 }).catch(() => undefined);
      for (const { request_id: id, connection_id } of page?.payment_requests ?? [])
        await wallet.paymentRequests
          .reportStatus(id, {
            status: next,
            connection_id,
            ...(next === 'broadcasted' ? { tx_hash: id } : {}),
          })
          .catch(() => undefined);
    }
    await pause(20);
  }
}

/** Continues every step that a kill left half done. */
const STEPS = [
  ['pending', 'signed'],
  ['signed', 'broadcasted'],
  ['broadcasted', 'confirmed'],
] as const;

async function untilNothingWaits(service: TestService, stages: readonly PaymentStage[]): Promise<void> {
  const ids = stages.map(({ connectionId }) => connectionId);
  for (let look = 0; look < 6_000; look += 1) {
    const [row] = await service.db<{ open: number }[]>`
      select count(*)::int as open from payment_requests
      where connection_id = any(${ids}) and status in ('pending', 'signed', 'broadcasted')`;
    if (row?.open === 0) return;
    await pause(100);
  }
  throw new Error('Requests are still open ten minutes after the last purchase');
}

async function judged(
  service: TestService,
  stages: readonly PaymentStage[],
  orders: readonly Purchase[],
  report: Report,
): Promise<Report> {
  const ids = stages.map(({ connectionId }) => connectionId);
  const rows = await service.db<{ name: string; paid: number }[]>`
    select display #>> '{items,0,name}' as name, count(*)::int as paid from payment_requests
    where connection_id = any(${ids}) and status = 'confirmed' group by 1`;
  const paid = new Map(rows.map((row) => [row.name, row.paid]));
  for (const { order } of orders) {
    const times = paid.get(order) ?? 0;
    if (times === 1) report.paidOnce += 1;
    else (times === 0 ? report.notPaid : report.paidTwice).push(order);
  }
  return report;
}
