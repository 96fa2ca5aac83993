import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { answer, defineRoute, type Route } from '../../http/route.ts';
import type { CounterSpec } from '../../metrics.ts';
import { deleteDomain } from './delete-domain.ts';
import { findDomain, listDomains } from './domain-sql.ts';
import { registerDomain } from './register-domain.ts';
import {
  DomainAndChallengeAnswer,
  DomainAndMerchantAnswer,
  DomainAnswer,
  DomainsAnswer,
  domainIssues,
  RegisterDomainInput,
} from './schema.ts';
import { verifyDomain } from './verify-domain.ts';
import { challengeView, domainView, merchantView } from './view.ts';

const tag = 'Domains';

const PROOFS: CounterSpec<'outcome'> = {
  name: 'svc_domain_proofs_total',
  help: 'Domain verifications by outcome.',
  labels: ['outcome'],
};

const register = defineRoute({
  method: 'POST',
  path: '/v1/merchant-domains',
  summary: 'Register an exact domain and get its challenge',
  description:
    'Publish the challenge as the TXT record or the file that the answer names, then verify the domain. Keep it published: it is looked up again every day and whenever a payee is verified. The same name again answers 200 with the same record.',
  tag,
  credential: ['merchant'],
  allowsPendingMerchant: true,
  limit: 'merchant_mutations',
  body: RegisterDomainInput,
  check: (body) => domainIssues(body.domain),
  status: 201,
  statusWhenKnown: 200,
  answer: DomainAndChallengeAnswer,
  errors: ['limit_reached'],
  async run({ context, act, principal, body }) {
    const { row, isNew } = await transaction(context.db, (tx) => registerDomain(tx, act, principal, body));
    return answer({ domain: domainView(row), challenge: challengeView(row) }, { status: isNew ? 201 : 200 });
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/v1/merchant-domains',
  summary: 'List the domains of the organization',
  tag,
  credential: ['merchant'],
  limit: 'reads',
  query: Type.Object(PAGE_QUERY),
  answer: DomainsAnswer,
  errors: ['invalid_cursor'],
  async run({ context, principal, query }) {
    const after = decodeCursor(query.cursor);
    const rows = await listDomains(context.db, principal.merchantId, after, query.limit + 1);
    const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.domain_id }));
    return { domains: page.items.map(domainView), next_cursor: page.nextCursor };
  },
});

const one = defineRoute({
  method: 'GET',
  path: '/v1/merchant-domains/{id}',
  summary: 'Read a domain and its challenge',
  tag,
  credential: ['merchant'],
  limit: 'reads',
  answer: DomainAndChallengeAnswer,
  errors: ['resource_not_found'],
  async run({ context, principal, params }) {
    const row = await findDomain(context.db, principal.merchantId, params['id'] ?? '');
    if (!row) throw notFound();
    return { domain: domainView(row), challenge: challengeView(row) };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/v1/merchant-domains/{id}',
  summary: 'Release a domain',
  description:
    'The organization stays active. Evidence of this domain can no longer activate a payee, and Recipients that rest on it are suspended until a version is activated with new evidence.',
  tag,
  credential: ['merchant'],
  allowsPendingMerchant: true,
  limit: 'merchant_mutations',
  answer: DomainAnswer,
  errors: ['resource_not_found'],
  async run({ context, act, principal, params }) {
    const row = await transaction(context.db, (tx) => deleteDomain(tx, act, principal, params['id'] ?? ''));
    return { domain: domainView(row) };
  },
});

const verify = defineRoute({
  method: 'POST',
  path: '/v1/merchant-domains/{id}/verify',
  summary: 'Look the published challenge up',
  description:
    'The first success activates domain and organization together. A failure changes nothing and says what was looked up, found and expected.',
  tag,
  credential: ['merchant'],
  allowsPendingMerchant: true,
  limit: 'merchant_mutations',
  answer: DomainAndMerchantAnswer,
  errors: ['resource_not_found', 'domain_proof_failed', 'domain_already_verified'],
  crossesTenants: 'a domain that another organization had proved moves, or stays with it',
  async run({ context, act, principal, params }) {
    try {
      const { domain, merchant } = await verifyDomain(context, act, principal, params['id'] ?? '');
      context.metrics.increment(PROOFS, { outcome: 'verified' });
      return { domain: domainView(domain), merchant: merchantView(merchant) };
    } catch (error) {
      context.metrics.increment(PROOFS, { outcome: 'refused' });
      throw error;
    }
  },
});

export const domainRoutes: readonly Route[] = [register, list, one, remove, verify];
