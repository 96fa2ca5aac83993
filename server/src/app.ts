import { type Context, isReady, prepareDatabase } from './context.ts';
import { agentPaymentsFeature } from './features/agent-payments/index.ts';
import { agentsFeature } from './features/agents/index.ts';
import { approvalsFeature, keepCall } from './features/approvals/index.ts';
import { auditFeature } from './features/audit/index.ts';
import { automationPoliciesFeature } from './features/automation-policies/index.ts';
import { createLastSeen, type LastSeen } from './features/callers/last-seen.ts';
import { catalogueFeature } from './features/catalogue/index.ts';
import { connectionsFeature } from './features/connections/index.ts';
import { evidenceFeature } from './features/evidence/index.ts';
import type { Feature } from './features/feature.ts';
import { figuresFeature } from './features/figures/index.ts';
import { mcpFeature, TOOL_CALLS } from './features/mcp/index.ts';
import { merchantAccountsFeature } from './features/merchant-accounts/index.ts';
import { merchantsFeature } from './features/merchants/index.ts';
import { registerGauges } from './features/operations/gauges.ts';
import { isServing } from './features/operations/health.ts';
import { operationsFeature } from './features/operations/index.ts';
import { createVitals } from './features/operations/vitals.ts';
import { operatorsFeature } from './features/operators/index.ts';
import { pagesFeature } from './features/pages/index.ts';
import { passkeysFeature } from './features/passkeys/index.ts';
import { payeesFeature } from './features/payees/index.ts';
import { paymentRequestsFeature } from './features/payment-requests/index.ts';
import { openEngine } from './features/payment-requests/wiring.ts';
import { projectAccessFeature } from './features/project-access/index.ts';
import { pushFeature } from './features/push/index.ts';
import { recipientsFeature } from './features/recipients/index.ts';
import { createRequestLog, type RequestLog, requestLogFeature } from './features/request-log/index.ts';
import { settlementFeature } from './features/settlement/index.ts';
import { createObserver, type Observer } from './features/settlement/observer-job.ts';
import { transactionContextsFeature } from './features/transaction-contexts/index.ts';
import { createLogSigner, type LogSigner } from './features/transparency-log/checkpoint.ts';
import { transparencyLogFeature } from './features/transparency-log/index.ts';
import { walletsFeature } from './features/wallets/index.ts';
import { webhooksFeature } from './features/webhooks/index.ts';
import { unauthenticated } from './http/credentials.ts';
import type { Authenticators, Kernel } from './http/kernel.ts';
import { createRateLimiter, rateBudgetRetention } from './http/limits/index.ts';
import { createInnerCalls } from './http/pipeline/inner-calls.ts';
import type { Route } from './http/route.ts';
import { createDeadlines } from './http/server/deadlines.ts';
import { createHttpServer, type HttpServer } from './http/server/index.ts';
import { retentionJob } from './jobs/retention.ts';
import { type JobRunner, startJobs } from './jobs/runner.ts';
import { createClientAddress } from './lib/client-address.ts';
import { createMemory, type Memory } from './lib/memory.ts';
import { renewFunctions } from './maintenance/distribution/functions.ts';
import { refuseLeftTables } from './maintenance/distribution/layout.ts';
import type { Engine } from './payments/index.ts';
import type { TokenOwner } from './principals.ts';
import { createPeers } from './processes/peers.ts';

/** State shared by several features, created once per service. All other state of a feature is private to it. */
export interface Parts {
  engine: Engine;
  lastSeen: LastSeen;
  log: LogSigner;
  observer: Observer;
  requestLog: RequestLog;
}

function createParts(context: Context, owners: Memory<TokenOwner>): Parts {
  return {
    engine: openEngine(context, owners),
    lastSeen: createLastSeen(context),
    log: createLogSigner(context),
    observer: createObserver(context),
    requestLog: createRequestLog(context),
  };
}

/** The whole service, feature by feature. A new resource is a folder and a line here. */
export const FEATURES: readonly ((parts: Parts) => Feature)[] = [
  auditFeature,
  transparencyLogFeature,
  catalogueFeature,
  merchantAccountsFeature,
  operatorsFeature,
  passkeysFeature,
  approvalsFeature,
  merchantsFeature,
  figuresFeature,
  recipientsFeature,
  agentsFeature,
  requestLogFeature,
  walletsFeature,
  pushFeature,
  connectionsFeature,
  payeesFeature,
  transactionContextsFeature,
  paymentRequestsFeature,
  webhooksFeature,
  projectAccessFeature,
  automationPoliciesFeature,
  agentPaymentsFeature,
  settlementFeature,
  evidenceFeature,
  pagesFeature,
];

export interface App {
  parts: Parts;
  routes: readonly Route[];
  server: HttpServer;
  /** Reaches the database, migrates it and starts the jobs; the server returns 503 until it is done. */
  start(): Promise<void>;
  /**
   * Lets calls and jobs in flight finish. While draining, every response has its client close the connection, so
   * that no connection is cut with a request already on the wire.
   */
  stop(options?: { drainMs?: number }): Promise<void>;
}

const MAX_TOKENS_KNOWN = 50_000;

export interface AppOptions {
  observe?: Kernel['observe'];
  /** Off where another process runs them. */
  jobs?: boolean;
}

export async function createApp(context: Context, options: AppOptions = {}): Promise<App> {
  let runner: JobRunner | undefined;
  const jobsHealth = () => runner?.health() ?? [];
  const peers = createPeers(context.config.workers);
  const vitals = createVitals(context, () => peers.report(isServing({ vitals })));
  registerGauges(context, { jobs: jobsHealth, peers });
  const owners = createMemory<TokenOwner>(MAX_TOKENS_KNOWN);
  const parts = createParts(context, owners);
  const resources = FEATURES.map((create) => create(parts));
  const routes = resources.flatMap((feature) => feature.routes ?? []);
  const operations = operationsFeature({ vitals, peers, observer: parts.observer, jobs: jobsHealth });
  const mcp = mcpFeature((outer) => within(outer));
  const features = [...resources, operations, mcp];
  const kernel: Kernel = {
    context,
    authenticators: collectAuthenticators(features),
    limiter: createRateLimiter(context.config.rateLimits, context.db, context.keys, context.metrics),
    deadlines: createDeadlines(),
    keptCalls: new Map(),
    keepCall,
    owners,
    clientAddress: createClientAddress(context.config.trustedProxies),
    isReady: () => isReady(context),
    noteCall: parts.requestLog.note,
    ...(options.observe ? { observe: options.observe } : {}),
  };
  const within = createInnerCalls(kernel, routes.filter(isToolCall));
  const server = createHttpServer(
    kernel,
    features.flatMap((feature) => feature.routes ?? []),
    features.flatMap((feature) => feature.documents ?? []),
    features.find(({ lost }) => lost !== undefined)?.lost,
  );
  const jobs = [
    ...features.flatMap((feature) => feature.jobs ?? []),
    retentionJob([rateBudgetRetention, ...features.flatMap((feature) => feature.retention ?? [])]),
  ];
  return {
    server,
    parts,
    routes,
    async start() {
      await prepareDatabase(context, {
        async renew(owner) {
          await refuseLeftTables(owner);
          await renewFunctions(owner);
        },
      });
      // The first check sets the clock that the jobs expire by.
      await vitals.start();
      if (options.jobs !== false) runner = startJobs(context, jobs);
    },
    async stop({ drainMs = 0 } = {}) {
      context.stop();
      vitals.stop();
      peers.report(false);
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
      await server.close();
      await parts.requestLog.stored();
      await runner?.stop();
    },
  };
}

function isToolCall({ method, path }: Route): boolean {
  return TOOL_CALLS.some((call) => call.method === method && call.path === path);
}

function collectAuthenticators(features: readonly Feature[]): Authenticators {
  const refuse = async () => {
    throw unauthenticated();
  };
  const none: Authenticators = {
    merchant: refuse,
    agent: refuse,
    claim: refuse,
    connection: refuse,
    wallet: refuse,
    api_key: refuse,
    admin: refuse,
  };
  return Object.assign(none, ...features.map((feature) => feature.authenticators ?? {})) as Authenticators;
}
