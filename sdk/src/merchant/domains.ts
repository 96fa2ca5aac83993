import type {
  Domain,
  DomainAnswer,
  DomainInput,
  DomainsPage,
  DomainWithChallenge,
  PageQuery,
  VerifiedDomain,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { getDomain, listDomains, registerDomain, releaseDomain, verifyDomain } from '../operations.ts';

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
    return this.#api.call(listDomains, { query }, options);
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
  verify(domainId: string, options: CallOptions = {}): Promise<VerifiedDomain> {
    return this.#api.call(verifyDomain, { params: { id: domainId }, body: {} }, options);
  }

  /** Releases the domain. */
  delete(domainId: string, options: CallOptions = {}): Promise<DomainAnswer> {
    return this.#api.call(releaseDomain, { params: { id: domainId } }, options);
  }
}
