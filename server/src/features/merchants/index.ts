// Organizations and the domains that prove who they are. Others import `merchant`, `prove-domain`, `verified-domain`,
// `lapse-domain`, `view` and `payee-standing`. At most one organization has a domain verified, and what was proved with
// it is suspended in the commit in which the domain ends.

import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import type { Feature } from '../feature.ts';
import { readPage } from '../page.ts';
import { domainCheckJob } from './check-job.ts';
import { findDomain, listDomains } from './domain-sql.ts';
import { readMerchant, updateMerchant } from './merchant.ts';
import { PROOFS_S } from './prove-domain.ts';
import { deleteDomain, registerDomain } from './register-domain.ts';
import { changeIssues, domainIssues } from './schema.ts';
import { verifyDomain } from './verify-domain.ts';
import { challengeView, domainView, merchantView } from './view.ts';

export const merchantsFeature = (): Feature => ({
  name: 'merchants',
  routes: [...merchantRoutes, ...domainRoutes],
  jobs: [domainCheckJob],
});

const merchantRoutes: readonly Route[] = [
  implement(api.getMerchant, {
    run: async ({ context, principal }) => ({
      merchant: merchantView(await readMerchant(context.db, principal.merchantId)),
    }),
  }),
  implement(api.updateMerchant, {
    check: changeIssues,
    async run({ context, act, principal, body }) {
      const row = await transaction(context.db, (tx) => updateMerchant(tx, act, principal, body));
      return { merchant: merchantView(row) };
    },
  }),
];

const PROOFS: CounterSpec<'outcome'> = {
  name: 'svc_domain_proofs_total',
  help: 'Domain verifications by outcome.',
  labels: ['outcome'],
};

const register = implement(api.registerDomain, {
  check: (body) => domainIssues(body.domain),
  async run({ context, act, principal, body }) {
    const { row, isNew } = await transaction(context.db, (tx) => registerDomain(tx, act, principal, body));
    return answer({ domain: domainView(row), challenge: challengeView(row) }, { status: isNew ? 201 : 200 });
  },
});

const list = implement(api.listDomains, {
  async run({ context, principal, query }) {
    const { items, next_cursor } = await readPage(query, 'domain_id', (page) =>
      listDomains(context.db, principal.merchantId, page),
    );
    return { domains: items.map(domainView), next_cursor };
  },
});

const one = implement(api.getDomain, {
  async run({ context, principal, params }) {
    const row = await findDomain(context.db, principal.merchantId, params['id'] ?? '');
    if (!row) throw notFound();
    return { domain: domainView(row), challenge: challengeView(row) };
  },
});

const remove = implement(api.releaseDomain, {
  async run({ context, act, principal, params }) {
    const row = await transaction(context.db, (tx) => deleteDomain(tx, act, principal, params['id'] ?? ''));
    return { domain: domainView(row) };
  },
});

const verify = implement(api.verifyDomain, {
  outsideS: PROOFS_S,
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

const domainRoutes: readonly Route[] = [register, list, one, remove, verify];
