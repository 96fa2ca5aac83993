import type { Issue } from '@payassent/protocol';
import type { CredentialKind, RateLimitName } from '@payassent/protocol/api';
import { type Act, createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { networkOf } from '../../lib/client-address.ts';
import type { AgentName, PresentedCredential, Principal, Principals } from '../../principals.ts';
import type { Presented } from '../credentials.ts';
import type { Incoming, Kernel, Outgoing } from '../kernel.ts';
import type { RateState } from '../limits/index.ts';
import type { Call, Order, Route } from '../route.ts';
import { type Authenticated, boundContext } from './authenticate.ts';
import { checkCredential, clientAddressOf, tokenHashOf } from './callers.ts';

/**
 * A call in progress: each step adds what it has found, and the route sees it as a `Call`. A class, because what few
 * routes need is created on demand: as an object of closures it cost every call 2 µs.
 */
export class RouteCall implements Call<CredentialKind, unknown, unknown> {
  readonly kernel: Kernel;
  readonly route: Route;
  readonly incoming: Incoming;
  readonly act: Act;
  context: Context;
  /** The credential as sent. */
  sent: Presented = NOTHING_SENT;
  proved: Authenticated | undefined;
  rate: RateState | undefined;
  /** The body as it was read. */
  parsed: unknown;
  /** The same where it is an object. */
  members: Record<string, unknown> | undefined;
  query: Record<string, unknown> = {};
  issues: Issue[] = [];
  idempotencyKey: string | undefined;
  outgoing!: Outgoing;
  #afterwards: (() => void) | undefined;
  #hungUp: AbortSignal | undefined;

  constructor(kernel: Kernel, route: Route, incoming: Incoming, act?: Act) {
    this.kernel = kernel;
    this.route = route;
    this.incoming = incoming;
    this.context = kernel.context;
    this.act = act ?? createAct(kernel.context, incoming.requestId);
  }

  /** Routes without a credential declare no kinds, so their `principal` has the type `never` and is never read. */
  get principal(): Principal {
    return this.proved?.principal as Principal;
  }

  /** The calling agent, if known. */
  get agent(): AgentName | undefined {
    const { proved } = this;
    if (proved) return 'agentId' in proved.principal ? proved.principal : proved.companion;
    return this.kernel.owners.get(tokenHashOf(this.sent) ?? '')?.place;
  }

  get companion(): Principals['api_key'] | undefined {
    return this.proved?.companion;
  }

  get body(): Record<string, unknown> {
    return this.members ?? {};
  }

  get params(): Readonly<Record<string, string>> {
    return this.incoming.params;
  }

  get presented(): PresentedCredential | undefined {
    return this.sent.primary ?? this.sent.apiKey;
  }

  /** The ordinary check of the credential. */
  check(): Promise<Authenticated> {
    return checkCredential(this);
  }

  get authenticate(): () => Promise<Principal> {
    return async () => {
      const { principal } = await this.check();
      this.context = boundContext(this.kernel.context, this.route, principal);
      return principal;
    };
  }

  get limit(): (name: RateLimitName, subject: string) => Promise<RateState | undefined> {
    const { lateLimits, method, path } = this.route;
    return (name, subject) => {
      if (!lateLimits?.includes(name))
        throw new Error(`${method} ${path} takes the limit ${name}, which it does not declare`);
      return this.kernel.limiter.take(name, subject, this.act.now);
    };
  }

  get clientAddress(): string {
    return clientAddressOf(this.kernel, this.request);
  }

  get clientNetwork(): string {
    return networkOf(this.clientAddress);
  }

  get carryOut(): (order: Order) => Promise<void> {
    return async (order) => {
      const carryOut = this.kernel.keptCalls.get(order.call);
      if (!carryOut) throw new Error(`${order.call} cannot be carried out later`);
      await carryOut(order, this.incoming);
    };
  }

  get request() {
    return this.incoming.request;
  }

  get hungUp(): AbortSignal {
    if (this.#hungUp) return this.#hungUp;
    const controller = new AbortController();
    const { socket } = this.request;
    const abort = () => controller.abort();
    socket.once('close', abort);
    // A keep-alive socket serves many calls; each removes its listeners.
    this.#afterwards = () => socket.removeListener('close', abort);
    this.#hungUp = controller.signal;
    return this.#hungUp;
  }

  /** The call is over, for whatever reason. */
  end(): void {
    this.#afterwards?.();
  }
}

const NOTHING_SENT: Presented = { primary: undefined, apiKey: undefined };
