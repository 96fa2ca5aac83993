import type { IncomingMessage } from 'node:http';
import type { Issue } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import {
  type Authority,
  authorityOf,
  type CredentialKind,
  type Operation,
  type RateLimitName,
  type Surface,
  surfaceOf,
} from '@payassent/protocol/api';
import type { Static, TObject } from 'typebox';
import type { Act, Approved } from '../act.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/open.ts';
import type { Stream } from '../lib/event-stream.ts';
import type { MerchantPrincipal, PresentedCredential, Principals } from '../principals.ts';
import { STREAM_HEADERS } from './event-stream.ts';
import type { RateState } from './limits/index.ts';

/** One call, after the checks that its route declares. */
export interface Call<Kinds extends CredentialKind, Body, Query> {
  context: Context;
  act: Act;
  principal: Principals[Kinds];
  /** An API key that accompanied a human credential (second surface). */
  companion: Principals['api_key'] | undefined;
  body: Body;
  query: Query;
  params: Readonly<Record<string, string>>;
  /** Set when the route is `idempotent`. */
  idempotencyKey: string | undefined;
  /** What the schema found; empty unless the route collects issues itself. */
  issues: Issue[];
  /** The credential as sent; for routes that check it inside their own statement. */
  presented: PresentedCredential | undefined;
  /**
   * The ordinary check, with its errors; for routes that check the credential themselves. From then on `context` is
   * bound to the tenant, as it is from the beginning in other routes.
   */
  authenticate(): Promise<Principals[Kinds]>;
  /** Counts against one of the route's `lateLimits`; throws 429. */
  limit(name: RateLimitName, subject: string): Promise<RateState | undefined>;
  /** Carries out a call that was stored for a second owner. */
  carryOut(order: Order): Promise<void>;
  clientAddress: string;
  /** The network that limits count by: the address, of IPv6 its network. */
  clientNetwork: string;
  request: IncomingMessage;
  /** Aborted when the caller disconnects. */
  hungUp: AbortSignal;
}

/** The stored form of a call. */
export interface KeptCall {
  /** As the table of roles names it. */
  call: string;
  params: Readonly<Record<string, string>>;
  body: Record<string, unknown>;
}

/** A stored call, to be carried out. */
export interface Order extends KeptCall {
  /** The requester. */
  principal: MerchantPrincipal;
  approval: Approved;
  /** The last step of the transaction that carries it out. */
  beforeCommit(tx: Tx): Promise<void>;
}

/** Additions to the route's declared response. */
export interface Answer {
  /** The members, or the JSON object of them as text. */
  body: Record<string, unknown> | string | Members;
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** Replaces the body. */
  stream?: Stream | undefined;
}

/**
 * The members of a response as JSON text, without the braces around them: an envelope adds its own. Cutting the braces
 * off a text that was just joined copies all of it, 1.3 µs of a read.
 */
export class Members {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The input of a screen: a proved caller, and a body and query that are not yet validated. */
export interface Screened<Caller> {
  context: Context;
  principal: Caller;
  companion: Principals['api_key'] | undefined;
  params: Readonly<Record<string, string>>;
  body: Record<string, unknown>;
  query: Record<string, unknown>;
}

/** A feature's part of an operation: its implementation. */
export interface Implementation<Kinds extends CredentialKind, Body extends TObject, Query extends TObject> {
  /** Runs after the credential and before the body's schema: for what must be rejected regardless of other problems. */
  screen?(input: Screened<Principals[Kinds]>): void | Promise<void>;
  /**
   * Checks of the body alone that a schema cannot express. It sees only the members that passed the schema, and its
   * issues join the schema's in one list.
   */
  check?(body: Partial<Static<Body>>, context: Context): Issue[];
  /**
   * `statement`: the credential is checked by the route's own statement (hot paths); `run` gets `presented`. Default: a
   * separate statement before the body is validated.
   */
  credentialCheck?: 'statement';
  /** Why the call affects other tenants by its nature: its database shows all of them. */
  crossesTenants?: string;
  /** It is serialized with other changes of team members, and then checks the caller's role itself. */
  changesOperators?: boolean;
  /** `run` gets the issues instead of an error, because it can add more of them. */
  collectsIssues?: boolean;
  /** Seconds that external servers have to respond, in addition to the call's own time. */
  outsideS?: number;
  /** Members of the body that only pass through: their numbers are returned digit for digit. */
  freeForm?: readonly string[] | 'every member';
  run(call: Call<Kinds, Static<Body>, Static<Query>>): Promise<Answer | Record<string, unknown>>;
}

/** An operation as it is published, types erased. */
export type PublishedRoute = Operation & {
  surface: Surface;
  /** The role a team member needs for the call; absent where team members cannot make it. */
  authority?: Authority | undefined;
};

/**
 * Every operation of the contract; a test checks that the service implements each. By name: bundlers change the order
 * of a module's members.
 */
export function publishedRoutes(): PublishedRoute[] {
  const operations = Object.values<unknown>(api).filter(api.isOperation);
  return operations.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(published);
}

function published<Kinds extends CredentialKind, Body extends TObject, Query extends TObject>(
  operation: Operation<Kinds, Body, Query>,
) {
  return { ...operation, surface: surfaceOf(operation.path), authority: authorityOf(operation) };
}

/** An operation with its implementation, types erased: what the server walks over. */
export type Route = PublishedRoute &
  Omit<Implementation<CredentialKind, TObject, TObject>, 'screen' | 'check' | 'run'> & {
    screen?(input: Screened<unknown>): void | Promise<void>;
    check?(body: Record<string, unknown>, context: Context): Issue[];
    run(call: Call<CredentialKind, unknown, unknown>): Promise<Answer | Record<string, unknown>>;
  };

export function implement<Kinds extends CredentialKind, Body extends TObject, Query extends TObject>(
  operation: Operation<Kinds, Body, Query>,
  implementation: Implementation<Kinds, Body, Query>,
): Route {
  return { ...published(operation), ...implementation } as unknown as Route;
}

/** A class, so that marking and checking cost next to nothing: as a spread with a symbol it took 5 µs of every read. */
class MarkedAnswer implements Answer {
  readonly body: Answer['body'];
  readonly status: number | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly stream: Stream | undefined;

  constructor(body: Answer['body'], extra: Omit<Answer, 'body'> | undefined) {
    this.body = body;
    this.status = extra?.status;
    this.headers = extra?.headers;
    this.stream = extra?.stream;
  }
}

/**
 * Marks a body that is sent with another status or with headers, or that is JSON already: a statement that writes the
 * text of its records saves the service's only thread the parsing and the writing.
 */
export function answer(body: Answer['body'], extra?: Omit<Answer, 'body'>): Answer {
  return new MarkedAnswer(body, extra);
}

/** A response that continues after the call as a stream. */
export function streamAnswer(stream: Stream): Answer {
  return answer('', { headers: STREAM_HEADERS, stream });
}

/** The response of an idempotent route to a repeat. */
export function replay(body: Answer['body']): Answer {
  return answer(body, { status: 200, headers: { [REPLAYED_HEADER]: 'true' } });
}

export const REPLAYED_HEADER = 'Idempotency-Replayed';

export function isAnswer(value: Answer | Record<string, unknown>): value is Answer {
  return value instanceof MarkedAnswer;
}
