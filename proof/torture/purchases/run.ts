import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ConnectionClient, type Fetch, WalletClient } from '@payassent/sdk';
import { paymentTools } from '@payassent/sdk/tools';
import { freePort } from '../../stage/free-port.ts';
import { activePayee } from '../../stage/people/payees.ts';
import { type PaymentStage, paymentStage } from '../../stage/people/payments.ts';
import { type ServiceProcess, startProcess } from '../../stage/service/process.ts';
import type { TestService } from '../../stage/service/service.ts';
import { createRandom, type Random } from '../run/random.ts';

/*
 * Agents that buy, over MCP and over the SDK, and everything that goes wrong between a model and a service: messages and
 * answers that are lost, answers that come too late, the service killed, tools called twice, words and keys that a model
 * makes up again after it forgot. A person approves whatever is asked. Judged by what the database holds in the end.
 */

interface Plan {
  purchases: number;
  seed: string;
  /** Agents at the same time, each with a connection of its own. */
  agents: number;
  /** The service is killed, and started again, this often. */
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
  /** The guard stopped an agent that had forgotten its key: without it these would be paid twice. */
  duplicatesStopped: number;
  /** The guard stopped a purchase that only looked like another. The person said yes, and it was made. */
  falseAlarms: number;
}

interface Purchase {
  order: string;
  payee: string;
  amount: string;
  /** The agent crashes after it was told of success and before it notes it. */
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
/** A purchase that needs more than this is stuck, and told as not paid. */
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
  let started = 0;
  const killEvery = Math.ceil(plan.purchases / (plan.kills + 1));
  const killing = async () => {
    await running.end('SIGKILL');
    running = await startProcess(env);
    report.kills += 1;
  };
  let kill: Promise<void> = Promise.resolve();
  try {
    await Promise.all(
      stages.map(async (stage, at) => {
        const agent = agentOf(url, stage, random.child(`agent ${at}`), report);
        for (let next = orders[started++]; next; next = orders[started++]) {
          if (started % killEvery === 0 && started < plan.purchases) kill = kill.then(killing);
          await agent.buy(next);
        }
        await agent.close();
      }),
    );
    await kill;
    await untilNothingWaits(service, stages);
  } finally {
    done.abort();
    await Promise.all(people);
    await kill.catch(() => undefined);
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
    duplicatesStopped: 0,
    falseAlarms: 0,
  };
}

async function stageFor(service: TestService): Promise<PaymentStage> {
  const stage = await paymentStage(service);
  for (const name of PAYEES) await activePayee(service, stage.merchant, { name });
  return stage;
}

/** Most prices are their own; some are what many things cost, so that honest purchases look alike. */
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

  /** Only the person can tell whether it is the same purchase: the words of each stand in the wallet. */
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

  const buy = async (purchase: Purchase): Promise<void> => {
    const call = random.chance(0.5) ? overSdk : mcp.call;
    let memory = memoryOf(random, purchase);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const answer = await askOnce(call, purchase, memory).catch((): Content => ({ error: { code: 'cut' } }));
      if (answer['outcome'] === 'possible_duplicate') {
        const earlier = answer['earlier_requests'] as { request_id: string }[];
        if (await isSamePurchase(earlier, purchase)) {
          report.duplicatesStopped += 1;
          return;
        }
        report.falseAlarms += 1;
        memory.secondOf = earlier[0]?.request_id;
        continue;
      }
      if (answer['error'] === undefined && !purchase.isForgotten) return;
      if (answer['error'] === undefined) memory = memoryOf(random, purchase);
      else if (random.chance(0.3)) memory = memoryOf(random, purchase);
      else if (random.chance(0.5)) memory.purpose = `${random.pick(WORDS)} ${purchase.order} again`;
      if (answer['error'] !== undefined) await pause(50);
    }
  };
  return { buy, close: mcp.close };
}

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
      ['is not answered', 4],
      ['is answered too late', 2],
    ]);
    if (fate !== 'arrives') report.faults += 1;
    if (fate === 'is lost') throw new TypeError('lost');
    const response = await fetch(url, init);
    if (fate === 'arrives') return response;
    await response.arrayBuffer().catch(() => undefined);
    throw fate === 'is not answered' ? new TypeError('cut') : new DOMException('late', 'TimeoutError');
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

/** A person who says yes to everything, as fast as it comes. */
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

/** Whatever a kill left half done goes on from where it stands. */
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
