import { Type } from 'typebox';
import { DOMAIN_METHODS, type DomainMethod } from '../enumerations.ts';
import { DomainChallengeSchema, DomainSchema, MerchantSchema } from '../records/merchant.ts';
import { NAME } from './members.ts';
import { operation } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const MerchantAnswer = Type.Object({ merchant: MerchantSchema });

const tag = 'Merchants';

const UpdateMerchantInput = Type.Object(
  {
    name: Type.Optional(NAME),
    require_payee_binding: Type.Optional(
      Type.Boolean({
        description:
          'true: evidence is made only for payees whose payee_record the domain publishes. Cannot be taken back.',
      }),
    ),
    version: Type.Integer(),
  },
  { additionalProperties: false },
);

const DomainAndChallengeAnswer = Type.Object({
  domain: DomainSchema,
  challenge: DomainChallengeSchema,
});

const RegisterDomainInput = Type.Object(
  {
    domain: Type.String({
      description: 'The exact host, such as shop.example: no scheme, port, path or wildcard.',
    }),
    method: Type.Optional(
      Type.Unsafe<DomainMethod>({
        type: 'string',
        enum: [...DOMAIN_METHODS],
        description: 'How the challenge will be published; dns unless stated.',
      }),
    ),
  },
  { additionalProperties: false },
);

const DomainsAnswer = pageOf('domains', DomainSchema);

const DomainAnswer = Type.Object({ domain: DomainSchema });

const DomainAndMerchantAnswer = Type.Object({ domain: DomainSchema, merchant: MerchantSchema });

export const getMerchant = operation({
  id: 'getMerchant',
  method: 'GET',
  path: '/v1/merchants/current',
  summary: 'Read the signed-in organization',
  tag,
  credential: ['merchant'],
  limit: 'reads',
  answer: MerchantAnswer,
});

export const updateMerchant = operation({
  id: 'updateMerchant',
  method: 'PATCH',
  path: '/v1/merchants/current',
  summary: 'Rename the signed-in organization, or require that its domain names every payee',
  tag,
  credential: ['merchant'],
  limit: 'merchant_mutations',
  body: UpdateMerchantInput,
  answer: MerchantAnswer,
  errors: ['version_conflict', 'invalid_status_transition', 'risk_rejected'],
});

export const registerDomain = operation({
  id: 'registerDomain',
  method: 'POST',
  path: '/v1/merchant-domains',
  summary: 'Register an exact domain and get its challenge',
  description:
    'Publish the challenge as the TXT record or the file that the answer names, then verify the domain. Keep it published: it is looked up again every day and whenever a payee is verified. The same name again answers 200 with the same record.',
  tag: 'Domains',
  credential: ['merchant'],
  allowsPendingMerchant: true,
  limit: 'merchant_mutations',
  body: RegisterDomainInput,
  status: 201,
  statusWhenKnown: 200,
  answer: DomainAndChallengeAnswer,
  errors: ['limit_reached'],
});

export const listDomains = operation({
  id: 'listDomains',
  method: 'GET',
  path: '/v1/merchant-domains',
  summary: 'List the domains of the organization',
  tag: 'Domains',
  credential: ['merchant'],
  limit: 'reads',
  query: Type.Object(PAGE_QUERY),
  answer: DomainsAnswer,
  errors: ['invalid_cursor'],
});

export const getDomain = operation({
  id: 'getDomain',
  method: 'GET',
  path: '/v1/merchant-domains/{id}',
  summary: 'Read a domain and its challenge',
  tag: 'Domains',
  credential: ['merchant'],
  limit: 'reads',
  answer: DomainAndChallengeAnswer,
  errors: ['resource_not_found'],
});

export const releaseDomain = operation({
  id: 'releaseDomain',
  method: 'DELETE',
  path: '/v1/merchant-domains/{id}',
  summary: 'Release a domain',
  description:
    'The organization stays active. Evidence of this domain can no longer activate a payee, and Recipients that rest on it are suspended until a version is activated with new evidence.',
  tag: 'Domains',
  credential: ['merchant'],
  allowsPendingMerchant: true,
  limit: 'merchant_mutations',
  answer: DomainAnswer,
  errors: ['resource_not_found'],
});

export const verifyDomain = operation({
  id: 'verifyDomain',
  method: 'POST',
  path: '/v1/merchant-domains/{id}/verify',
  summary: 'Look the published challenge up',
  description:
    'The first success activates domain and organization together. A failure changes nothing and says what was looked up, found and expected.',
  tag: 'Domains',
  credential: ['merchant'],
  allowsPendingMerchant: true,
  limit: 'merchant_mutations',
  answer: DomainAndMerchantAnswer,
  errors: ['resource_not_found', 'domain_proof_failed', 'domain_already_verified'],
});
