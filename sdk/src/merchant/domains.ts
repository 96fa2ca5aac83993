import type { Domain, DomainChallenge, DomainMethod, Merchant } from '@payassent/protocol';
import { getDomain, listDomains, registerDomain, releaseDomain, verifyDomain } from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type Page, type PageQuery } from '../core/pages.ts';

/** A domain that is to be proved. */
export interface DomainInput {
  /** The exact host, such as `shop.example`. */
  domain: string;
  /** How the challenge will be published; `dns` unless stated. */
  method?: DomainMethod;
}

/** A domain with what must be published at it. */
export interface DomainWithChallenge {
  /** The domain's record. */
  domain: Domain;
  /** Both ways are shown; only the chosen one is checked. */
  challenge: DomainChallenge;
}

/** One page of domains. */
export interface DomainsPage extends Page {
  /** Newest first. */
  domains: Domain[];
}

/** Domains and their proofs. */
export class MerchantDomains {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Registers a domain. Publish the challenge and leave it there. */
  create(input: DomainInput, options: CallOptions = {}): Promise<DomainWithChallenge> {
    return this.#api.call(registerDomain, { body: input }, options);
  }

  /** One page of domains. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<DomainsPage> {
    return this.#api.call(listDomains, { query: { ...query } }, options);
  }

  /** All domains, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Domain, void, undefined> {
    return eachRecord(this.#api, listDomains, 'domains', { query }, options);
  }

  /** Reads one domain with its challenge. */
  get(domainId: string, options: CallOptions = {}): Promise<DomainWithChallenge> {
    return this.#api.call(getDomain, { params: { id: domainId } }, options);
  }

  /** Looks the challenge up. The first success activates the organization; a failure changes nothing. */
  verify(domainId: string, options: CallOptions = {}): Promise<{ domain: Domain; merchant: Merchant }> {
    return this.#api.call(verifyDomain, { params: { id: domainId }, body: {} }, options);
  }

  /** Releases the domain. */
  delete(domainId: string, options: CallOptions = {}): Promise<{ domain: Domain }> {
    return this.#api.call(releaseDomain, { params: { id: domainId } }, options);
  }
}
