import { DOMAIN_METHODS } from '../enumerations.ts';
import { FiguresSchema } from '../records/figures.ts';
import { DomainChallengeSchema, DomainSchema, MerchantSchema } from '../records/merchant.ts';
import { oneOf, record, Type } from '../records/schema.ts';
import { input, partyName, VERSION } from './members.ts';
import { operations } from './operation.ts';
import { PAGE, pageOf } from './pages.ts';

const operation = operations({ tag: 'Domains', credential: ['merchant'] });

const MerchantAnswer = record('MerchantAnswer', 'The organization.', { merchant: MerchantSchema });
const DomainWithChallenge = record('DomainWithChallenge', 'A domain and what to publish for it.', {
  domain: DomainSchema,
  challenge: DomainChallengeSchema,
});

export const getMerchant = operation('getMerchant', 'GET /v1/merchants/current', {
  sdk: 'MerchantOrganization.get',
  summary: 'Read the signed-in organization',
  description: 'Every call with the session concerns this organization.',
  tag: 'Merchants',
  answer: MerchantAnswer,
});

export const getFigures = operation('getFigures', 'GET /v1/merchants/current/figures', {
  sdk: 'MerchantOrganization.figures',
  summary: 'Read what was received and how customers decide',
  description: 'Over the newest 10,000 requests and 10,000 agent payments of the last thirty days.',
  tag: 'Merchants',
  query: record('FiguresQuery', 'Where the reader is.', {
    today: Type.Optional(
      Type.String({ format: 'date-time', description: 'When today began there; midnight UTC when absent.' }),
    ),
  }),
  answer: record('FiguresAnswer', 'The figures.', { figures: FiguresSchema }),
});

export const updateMerchant = operation('updateMerchant', 'PATCH /v1/merchants/current', {
  sdk: 'MerchantOrganization.update',
  summary: 'Rename the signed-in organization, or require more for a change of its payees',
  description: 'Wallets show the new name with the previous one, until the customer has seen it.',
  tag: 'Merchants',
  body: input('MerchantChange', 'A change of the organization.', {
    name: Type.Optional(partyName('What the organization calls itself.')),
    require_payee_binding: Type.Optional(
      Type.Boolean({
        description:
          'true: evidence is made only for payees whose payee_record the domain publishes. Cannot be taken back.',
      }),
    ),
    four_eyes: Type.Optional(
      Type.Boolean({
        description:
          'true: activating and archiving payees, deleting domains, changes of operators and switching this off wait for a second owner. Needs two active owners.',
      }),
    ),
    version: VERSION,
  }),
  answer: MerchantAnswer,
  errors: ['version_conflict', 'invalid_status_transition', 'risk_rejected', 'last_owner'],
  example: { name: 'Example Shop', version: 1 },
});

export const registerDomain = operation('registerDomain', 'POST /v1/merchant-domains', {
  sdk: 'MerchantDomains.create',
  summary: 'Register an exact domain and get its challenge',
  description:
    'Publish the challenge as the TXT record or the file that the response names, then verify the domain. Keep it published: it is checked every day and whenever a payee is verified. Repeating the call with the same name returns 200.',
  allowsPendingMerchant: true,
  body: input('DomainInput', 'A domain that is to be proved.', {
    domain: Type.String({
      description: 'The exact host, such as shop.example: no scheme, port, path or wildcard.',
    }),
    method: Type.Optional(oneOf(DOMAIN_METHODS, 'How the challenge will be published; dns unless stated.')),
  }),
  status: 201,
  statusWhenKnown: 200,
  answer: DomainWithChallenge,
  errors: ['limit_reached'],
  example: { domain: 'shop.example', method: 'dns' },
});

export const listDomains = operation('listDomains', 'GET /v1/merchant-domains', {
  sdk: 'MerchantDomains.list',
  summary: 'List the domains of the organization',
  description: 'Newest first. Each with the result of the last check of its challenge.',
  query: PAGE,
  answer: pageOf('DomainsPage', 'domains', DomainSchema),
});

export const getDomain = operation('getDomain', 'GET /v1/merchant-domains/{id}', {
  sdk: 'MerchantDomains.get',
  summary: 'Read a domain and its challenge',
  description: 'The challenge stays the same until the domain is released.',
  answer: DomainWithChallenge,
});

export const releaseDomain = operation('releaseDomain', 'DELETE /v1/merchant-domains/{id}', {
  sdk: 'MerchantDomains.delete',
  summary: 'Release a domain',
  description:
    'Evidence of this domain can no longer activate a payee, and Recipients that rest on it are suspended until a version is activated with new evidence. Every owner gets a mail.',
  allowsPendingMerchant: true,
  answer: record('DomainAnswer', 'One domain.', { domain: DomainSchema }),
});

export const verifyDomain = operation('verifyDomain', 'POST /v1/merchant-domains/{id}/verify', {
  sdk: 'MerchantDomains.verify',
  summary: 'Check the published challenge',
  description:
    'The first success activates domain and organization together. A failure changes nothing and returns what was queried, found and expected.',
  allowsPendingMerchant: true,
  answer: record('VerifiedDomain', 'A proved domain and its organization.', {
    domain: DomainSchema,
    merchant: MerchantSchema,
  }),
  errors: ['domain_proof_failed', 'domain_already_verified'],
});
