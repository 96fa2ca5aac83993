import type { Agent, AgentAnswer, AgentChange, AgentInput, AgentsPage, PageQuery } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { createAgent, getAgent, listAgents, updateAgent } from '../operations.ts';
import { MerchantCredentials } from './credentials.ts';

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
    return this.#api.call(listAgents, { query }, options);
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
