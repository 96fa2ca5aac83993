import { CLAIMING_NAMES, CLAIMS } from '@payassent/proof/surroundings/hostile-inputs';
import { LANGUAGES, type Language } from '@payassent/protocol';
import type { Connection, PaymentRequest } from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import { describeRequest } from '../../cli/src/request-text.ts';
import { describeAsker } from '../../cli/src/wallet/connections.ts';
import { questionOf, renderReview } from '../../cli/src/wallet/review.ts';
import { paymentResult, quotedName } from '../../sdk/src/tools/outcome.ts';
import { credentialFacts } from '../src/features/agents/credentials.ts';
import { CARD } from '../src/features/mcp/card.ts';
import { accessChangedMail } from '../src/features/merchant-accounts/mails/access.ts';
import { apiKeyCreatedMail } from '../src/features/merchant-accounts/mails/api-keys.ts';
import {
  domainAbsentMail,
  domainGainedMail,
  domainLostMail,
  payeeActivatedMail,
} from '../src/features/merchant-accounts/mails/payees.ts';
import { signInLinkMail } from '../src/features/merchant-accounts/mails/sign-in-link.ts';

const ORDINARY = { payee: 'Harbour Books', merchant: 'Harbour Ltd', agent: 'Concierge' };
type Names = Record<keyof typeof ORDINARY, string>;

const NOW = '2026-11-18T12:00:00.000Z';
const plainPaint = { bold: String, dim: String, good: String, bad: String, columns: 80 };

function requestOf(names: Names): PaymentRequest {
  return {
    request_id: 'pr_1',
    connection_id: 'con_1',
    status: 'pending',
    payment: {
      rail: 'stellar_xlm',
      network: 'stellar_testnet',
      asset: 'XLM',
      amount: '5',
      to: 'GA',
      decimals: 7,
    },
    payee: { name: names.payee, verified: true, domain: 'shop.example', recipient_id: 'rcp_1' },
    source: { agent_name: names.agent, merchant_name: names.merchant },
    created_at: NOW,
    updated_at: NOW,
    expires_at: NOW,
    facts_digest: '',
  } as unknown as PaymentRequest;
}

function connectionOf(names: Names): Connection {
  return {
    agent: { agent_id: 'agt_1', name: names.agent, former_name: names.agent },
    merchant: { name: names.merchant, verified_domain: 'shop.example', former_name: names.merchant },
  } as unknown as Connection;
}

/** Every text outside of the pages in which a name can appear, by surface. Pages have a separate test. */
const SURFACES: Record<string, (names: Names) => string> = {
  'terminal: review': (names) =>
    renderReview(
      {
        request: requestOf(names),
        context: undefined,
        connection: connectionOf(names),
        checked: { dangers: [], isMissing: false },
      },
      plainPaint,
    ),
  'terminal: question': (names) => questionOf(requestOf(names).payment, { ...requestOf(names).payee }),
  'terminal: connection': (names) =>
    describeAsker('Asks', { ...connectionOf(names), requested_scopes: [] } as never, plainPaint),
  'terminal: request': (names) => describeRequest(requestOf(names)),
  'tools: payment': (names) => paymentResult(requestOf(names), 0).content[0].text,
  'tools: payee and merchant': (names) => `${quotedName(names.payee)} ${quotedName(names.merchant)}`,
};

const mailed = { to: 'a@shop.example', baseUrl: 'https://pay.example', at: new Date(NOW) };
type Mailed = typeof mailed & { language: Language };
const MAILS: Record<
  string,
  (names: Names, mailed: Mailed) => { subject: string; text: string; html: string }
> = {
  access: ({ merchant, agent }, mailed) =>
    accessChangedMail({
      ...mailed,
      notice: {
        merchant_name: merchant,
        change: 'agent_credential_added',
        facts: credentialFacts({ name: agent, agent_id: 'agt_1' }, { kid: 'key-1' }),
      },
    }),
  'name of an API key': ({ merchant, agent, payee }, mailed) =>
    apiKeyCreatedMail({
      ...mailed,
      notice: {
        merchant_name: merchant,
        api_key_id: 'key_1',
        key_name: payee,
        agent_id: 'agt_1',
        agent_name: agent,
        made_with: 'admin_session',
      },
    }),
  'API key': ({ merchant, agent }, mailed) =>
    apiKeyCreatedMail({
      ...mailed,
      notice: {
        merchant_name: merchant,
        api_key_id: 'key_1',
        key_name: 'Till',
        agent_id: 'agt_1',
        agent_name: agent,
        made_with: 'session',
      },
    }),
  'domain lost': ({ merchant, payee }, mailed) =>
    domainLostMail({
      ...mailed,
      notice: {
        merchant_name: merchant,
        domain: 'shop.example',
        because: 'challenge_absent',
        suspended: 1,
        payees: [payee],
      },
    }),
  'domain gained': ({ merchant }, mailed) =>
    domainGainedMail({ ...mailed, notice: { merchant_name: merchant, domain: 'shop.example' } }),
  'domain absent': ({ merchant }, mailed) =>
    domainAbsentMail({
      ...mailed,
      notice: {
        merchant_name: merchant,
        domain: 'shop.example',
        days: 1,
        lapses_after_days: 7,
        method: 'dns',
        place: '_svc.shop.example',
        expected: 'x',
      },
    }),
  'payee activated': ({ merchant, payee }, mailed) =>
    payeeActivatedMail({
      ...mailed,
      notice: {
        merchant_name: merchant,
        payee_name: payee,
        network: 'stellar_testnet',
        asset: 'XLM',
        address: 'GA',
        memo: null,
        domain: 'shop.example',
        binding: 'domain',
        recipient_id: 'rcp_1',
        recipient_version_id: 'rcv_1',
      },
    }),
  invitation: ({ merchant }, mailed) =>
    signInLinkMail({
      ...{ ...mailed, token: 'x', expiresAt: new Date(NOW), workspaces: [] },
      invitation: { merchantName: merchant, role: 'viewer', invitedBy: 'b@shop.example' },
    }),
  'sign-in': ({ merchant }, mailed) =>
    signInLinkMail({
      ...{ ...mailed, token: 'x', expiresAt: new Date(NOW) },
      workspaces: [{ name: merchant, status: 'active' }],
    }),
};

const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];
const namesIn = (text: string) => Object.values(ORDINARY).filter((name) => text.includes(name));

describe('a name with a claim that is reserved for the page is not shown', () => {
  it.each(Object.entries(SURFACES))('%s', (_surface, textOf) => {
    expect(namesIn(textOf(ORDINARY)), 'an ordinary one is').not.toEqual([]);
    expect(textOf(CLAIMING_NAMES)).not.toMatch(CLAIMS);
    expect(textOf(CLAIMING_NAMES)).toContain('(name not shown)');
  });

  it.each(
    Object.entries(MAILS).flatMap(([kind, mailOf]) =>
      LANGUAGE_NAMES.map((language) => [kind, language, mailOf] as const),
    ),
  )('mail: %s in %s, whose subject has no name at all', (_kind, language, mailOf) => {
    const ordinary = mailOf(ORDINARY, { ...mailed, language });
    expect(namesIn(ordinary.subject)).toEqual([]);
    const words = ordinary.text.replaceAll(/\s+/g, ' ');
    expect(namesIn(words)).not.toEqual([]);
    for (const name of namesIn(words)) expect(words).toContain(`"${name}"`);
    const { subject, text, html } = mailOf(CLAIMING_NAMES, { ...mailed, language });
    expect(`${subject}\n${text}\n${html}`).not.toMatch(CLAIMS);
  });

  it('card of a tool, which shows the domain alone', () => {
    expect(CARD.html).not.toContain('payee.name');
    expect(CARD.html).not.toContain('payee?.name');
  });
});
