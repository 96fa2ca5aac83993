import type { IncomingMessage } from 'node:http';
import type { CredentialKind } from '@payassent/protocol/api';
import type { Context } from '../context.ts';
import type { AppError } from '../errors.ts';
import type { Stream } from '../lib/event-stream.ts';
import type { Memory } from '../lib/memory.ts';
import type { AgentName, PresentedCredential, Principals, TokenOwner } from '../principals.ts';
import type { RateLimiter } from './limits/index.ts';
import type { RawQuery } from './pipeline/query.ts';
import type { Answer, Call, KeptCall, Order, Route } from './route.ts';
import type { Deadlines } from './server/deadlines.ts';

/** What every step of the pipeline gets. */
export interface Kernel {
  context: Context;
  authenticators: Authenticators;
  limiter: RateLimiter;
  deadlines: Deadlines;
  owners: Memory<TokenOwner>;
  /** The functions that carry out calls stored for a second owner. */
  keptCalls: Map<string, CarryOut>;
  keepCall: KeepCall;
  /** False until the database has been reached and its schema is up to date. */
  isReady(): boolean;
  clientAddress(peer: string, forwardedFor: string | undefined): string;
  /** Called for every completed call of an agent, with its result. */
  noteCall(call: AnsweredCall): void;
  /** Sees every response of a route before it is sent; tests compare it with the published contract. */
  observe?(route: Route, incoming: Incoming, outcome: Outgoing | AppError): void;
}

/** A call of an agent, as it ended for the caller. */
export interface AnsweredCall {
  agent: AgentName;
  operation: string;
  requestId: string;
  status: number;
  errorCode: string | undefined;
  durationMs: number;
}

export interface Incoming {
  request: IncomingMessage;
  requestId: string;
  params: Readonly<Record<string, string>>;
  query: RawQuery;
  body: Buffer | undefined;
  /** For a call within a call: the credential whose key signed for the outer one. */
  provedBy?: string | undefined;
  /** Set by the pipeline: the calling agent, as soon as it is known. */
  caller?: { readonly agent: AgentName | undefined };
}

export interface Outgoing {
  status: number;
  headers: Readonly<Record<string, string>> | undefined;
  /** JSON. */
  text: string;
  /** Replaces the text. */
  stream?: Stream | undefined;
}

export type Handler = (incoming: Incoming) => Promise<Outgoing>;

/** One lookup per kind of credential. Each is owned by the feature that issues the credential. */
export type Authenticators = {
  [Kind in CredentialKind]: (
    context: Context,
    presented: PresentedCredential,
    now: Date,
    sender: Sender,
  ) => Promise<Principals[Kind]>;
};

/** The input for checking a sender-bound credential. */
export interface Sender {
  request: IncomingMessage;
  limiter: RateLimiter;
}

export type CarryOut = (order: Order, by: Incoming) => Promise<void>;

/** Stores a call for another owner and returns the caller's response. */
export type KeepCall = (call: Call<CredentialKind, unknown, unknown>, kept: KeptCall) => Promise<Answer>;
