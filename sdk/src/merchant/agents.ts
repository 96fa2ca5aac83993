import type { Agent, AgentStatus, Scope } from '@payassent/protocol';
import { createAgent, getAgent, listAgents, updateAgent } from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type Page, type PageQuery } from '../core/pages.ts';
import { MerchantCredentials } from './credentials.ts';

/** A new agent. */
export interface AgentInput {
  /** What operators and wallets see. */
  name: string;
  /** What it runs on. */
  runtime: string;
  /** Any word, such as `test`. */
  environment: string;
  /** What it may ask users for. */
  allowed_scopes: readonly Scope[];
}

/** A change of an agent, based on a version. */
export interface AgentChange {
  /** `active`, `suspended`, or for good `revoked`. */
  status?: AgentStatus;
  /** Another name. */
  name?: string;
  /** Other scopes; connections are cut to them at once. */
  allowed_scopes?: readonly Scope[];
  /** Whether connection tokens of this agent need a proof signed by one of its keys with every call. */
  require_proof?: boolean;
  /** The version that the change is based on. */
  version: number;
}

/** Answer with one agent. */
export interface AgentAnswer {
  /** The agent as it is now. */
  agent: Agent;
}

/** One page of agents. */
export interface AgentsPage extends Page {
  /** Newest first. */
  agents: Agent[];
}

/** Agents of the organization. One is usable when it is active and has an active credential. */
export class MerchantAgents {
  /** Their keys. */
  readonly credentials: MerchantCredentials;
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
    this.credentials = new MerchantCredentials(api);
  }

  /** Registers an agent; it is pending until it is updated to active. */
  create(input: AgentInput, options: CallOptions = {}): Promise<AgentAnswer> {
    return this.#api.call(createAgent, { body: input }, options);
  }

  /** One page of agents. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<AgentsPage> {
    return this.#api.call(listAgents, { query: { ...query } }, options);
  }

  /** All agents, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Agent, void, undefined> {
    return eachRecord(this.#api, listAgents, 'agents', { query }, options);
  }

  /** Reads one agent. */
  get(agentId: string, options: CallOptions = {}): Promise<AgentAnswer> {
    return this.#api.call(getAgent, { params: { agentId } }, options);
  }

  /** Changes status, name, scopes, or whether proofs are required. */
  update(agentId: string, change: AgentChange, options: CallOptions = {}): Promise<AgentAnswer> {
    return this.#api.call(updateAgent, { params: { agentId }, body: change }, options);
  }
}
