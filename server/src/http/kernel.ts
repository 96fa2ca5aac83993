import type { IncomingMessage } from 'node:http';
import type { CredentialKind } from '@payassent/protocol/api';
import type { Context } from '../context.ts';
import type { AppError } from '../errors.ts';
import type { Stream } from '../lib/event-stream.ts';
import type { Memory } from '../lib/memory.ts';
import type { RateLimiter } from './limits/index.ts';
import type { RawQuery } from './pipeline/query.ts';
import type { PresentedCredential, Principals, TokenOwner } from './principals.ts';
import type { Answer, Call, KeptCall, Order, Route } from './route.ts';
import type { Deadlines } from './server/deadlines.ts';

/** What every part of the way of a request is given. */
export interface Kernel {
  context: Context;
  authenticators: Authenticators;
  limiter: RateLimiter;
  deadlines: Deadlines;
  owners: Memory<TokenOwner>;
  /** How calls are carried out that were kept for a second owner. */
  keptCalls: Map<string, CarryOut>;
  keepCall: KeepCall;
  /** False until the database has been reached and its schema is up to date. */
  isReady(): boolean;
  clientAddress(peer: string, forwardedFor: string | undefined): string;
  /** Sees every answer of a route before it leaves; tests hold it against what is published. */
  observe?(route: Route, incoming: Incoming, outcome: Outgoing | AppError): void;
}

export interface Incoming {
  request: IncomingMessage;
  requestId: string;
  params: Readonly<Record<string, string>>;
  query: RawQuery;
  body: Buffer | undefined;
  /** Of a call within a call: the credential whose key signed for the outer one. */
  provedBy?: string | undefined;
}

export interface Outgoing {
  status: number;
  headers: Readonly<Record<string, string>> | undefined;
  /** JSON. */
  text: string;
  /** Instead of the text. */
  stream?: Stream | undefined;
}

export type Handler = (incoming: Incoming) => Promise<Outgoing>;

/** One look-up per kind of credential. Each is owned by the feature that issues the credential. */
export type Authenticators = {
  [Kind in CredentialKind]: (
    context: Context,
    presented: PresentedCredential,
    now: Date,
    sender: Sender,
  ) => Promise<Principals[Kind]>;
};

/** What a credential that is bound to its sender is judged by. */
export interface Sender {
  request: IncomingMessage;
  limiter: RateLimiter;
}

export type CarryOut = (order: Order, by: Incoming) => Promise<void>;

/** Keeps a call for another owner and returns what the caller gets. */
export type KeepCall = (call: Call<CredentialKind, unknown, unknown>, kept: KeptCall) => Promise<Answer>;
