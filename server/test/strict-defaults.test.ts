import { readFileSync } from 'node:fs';
import {
  succeed,
  type TestMerchant,
  type TestSession,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { activePayee, payeeFacts, verifyPayee } from '@payassent/proof/people/payees';
import type { Caller } from '@payassent/proof/service/client';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG_VARIABLES, type Config, parseConfig } from '../src/config/index.ts';

const PUBLIC = { SVC_BASE_URL: 'https://pay.example' };
const CONFIGURATION = readFileSync(new URL('../../docs/operators/configuration.md', import.meta.url), 'utf8');

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
});
afterAll(() => service.close());

/** The merchant's session under the name that cookies of a public address have. */
function publicSession(): TestSession {
  const { cookie, csrf } = merchant.session;
  return { cookie: cookie.replace('svc_session', '__Host-svc_session'), csrf };
}

interface Strict {
  /** Switches the strict default off. */
  loose: string;
  /** Where the configuration alone determines it. */
  isStrict?(config: Config): boolean;
  /** What calls come to: `strict`, `loose`, or something else. */
  look?(call: Caller, session: TestSession, env: Record<string, string>): Promise<string>;
}

async function outcomeOf(
  { isStrict, look }: Strict,
  env: Record<string, string>,
  reach: () => Promise<{ call: Caller; session: TestSession }>,
): Promise<string> {
  if (isStrict) return isStrict(parseConfig({ ...service.env, ...env })) ? 'strict' : 'loose';
  const { call, session } = await reach();
  return (await look?.(call, session, env)) ?? '';
}

/** By the one setting that switches each. */
const STRICT: Readonly<Record<string, Strict>> = {
  SVC_REQUIRE_PROOF: {
    loose: 'never',
    async look(call, session) {
      const allowed_scopes = ['payment.requests.read'];
      const body = { name: 'Agent', runtime: 'node', environment: 'test', allowed_scopes };
      const { agent } = (await succeed(call('POST', '/v1/agents', { session, body }))).body;
      return agent.require_proof ? 'strict' : 'loose';
    },
  },
  SVC_PAYEE_CHANGE: {
    loose: 'open',
    async look(call, session) {
      const payee = await activePayee(service, merchant, { name: `Payee ${Math.random()}` });
      const path = `/v1/recipients/${payee.recipientId}`;
      const body = { ...payeeFacts(), version: payee.version };
      const added = (await succeed(call('POST', `${path}/versions`, { session, body }))).body;
      const { recipient_version_id: recipientVersionId } = added.recipient_version;
      const { version } = added.recipient;
      const place = { recipientId: payee.recipientId, recipientVersionId, version };
      const { evidence } = (await succeed(verifyPayee({ call }, { ...merchant, session }, place))).body;
      const { evidence_id, evidence_digest } = evidence;
      const activated = await call('POST', `${path}/versions/${recipientVersionId}/activate`, {
        session,
        body: { evidence_id, evidence_digest, version },
      });
      if (activated.status === 200) return 'loose';
      return activated.body.error.code === 'step_up_required' ? 'strict' : activated.text;
    },
  },
  SVC_METRICS_TOKEN: {
    loose: 'a-token-that-the-host-has-chosen',
    async look(call, _session, { SVC_METRICS_TOKEN: bearer }) {
      const open = await call('GET', '/metrics', bearer === undefined ? {} : { bearer });
      return open.status === 401 ? 'strict' : open.status === 200 ? 'loose' : open.text;
    },
  },
  SVC_RATE_LIMITS: { loose: 'off', isStrict: ({ rateLimits }) => Object.keys(rateLimits).length > 0 },
  SVC_CAPS: { loose: 'off', isStrict: ({ caps }) => Number.isFinite(caps.pendingRequests) },
  SVC_DRAIN_S: { loose: '0', isStrict: ({ drainS }) => drainS > 0 },
};
const rules = Object.entries(STRICT);

describe('away from loopback', () => {
  it.each(rules)('%s is strict by default, and that setting alone switches it', async (name, rule) => {
    const look = (env: Record<string, string>) =>
      outcomeOf(rule, { ...PUBLIC, ...env }, async () => {
        const { call } = await secondService(service, service.clock, { ...PUBLIC, ...env });
        return { call, session: publicSession() };
      });
    expect(await look({})).toBe('strict');
    expect(await look({ [name]: rule.loose })).toBe('loose');
  });

  it.each(rules)('%s is documented with what it is on loopback', (name) => {
    expect(CONFIG_VARIABLES[name]).toContain('loopback base URL');
    const row = CONFIGURATION.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    expect(row).toContain('loopback');
  });

  it('no other setting has a separate default', () => {
    const documented = Object.entries(CONFIG_VARIABLES).filter(([, text]) =>
      /on a loopback base URL/.test(text),
    );
    expect(documented.map(([name]) => name).toSorted()).toEqual(rules.map(([name]) => name).toSorted());
  });
});

describe('on loopback', () => {
  it.each(rules)('%s leaves every call as the contract shows it', async (_name, rule) => {
    const { call } = service;
    const { session } = merchant;
    expect(await outcomeOf(rule, {}, async () => ({ call, session }))).toBe('loose');
  });
});
