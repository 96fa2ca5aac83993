// Agents, their public keys, and the short tokens that they exchange signed assertions for.
// Others import `agents`, `schema`, `text` and `usable`.
// A token works only while its agent is active and the key that signed for it is proved and within its dates.

import * as api from '@payassent/protocol/api';
import { createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import { AppError, refuseSuspendedAgent } from '../../errors.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import type { Job } from '../../jobs/job.ts';
import { DAY_MS, SECOND_MS } from '../../lib/clock.ts';
import type { AgentPrincipal, PresentedCredential } from '../../principals.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import type { Feature } from '../feature.ts';
import { forgetAfter } from '../forget-after.ts';
import { readPage } from '../page.ts';
import { changeAgent, createAgent, listAgents, readAgent, readCredentials } from './agents.ts';
import { claimEnding, endCredentialsOf, forgetEnding } from './credential-sql.ts';
import { activateCredential, registerCredential, revokeCredential } from './credentials.ts';
import {
  checkAgentChange,
  checkAgentInput,
  checkCredentialInput,
  checkCredentialProof,
  refuseEmptyChange,
} from './schema.ts';
import {
  AGENT_TOKEN_LIFE_MS,
  issueAgentToken,
  type Permission,
  proveAssertion,
  readAssertion,
} from './tokens.ts';
import { CREDENTIAL_JOB } from './usable.ts';
import { agentView, credentialStatus, credentialView } from './view.ts';

interface TokenRow extends Permission {
  agent_id: string;
  credential_id: string;
  token_expires_at: Date;
}

export const agentsFeature = (): Feature => ({
  name: 'agents',
  routes: [...agentRoutes, ...credentialRoutes, ...tokenRoutes],
  authenticators: { agent: authenticateAgent },
  jobs: [credentialJob],
  retention: [
    forgetAfter(DAY_MS, { name: 'agent tokens', table: 'agent_tokens', key: 'token_hash' }),
    forgetAfter(DAY_MS, { name: 'agent assertions', table: 'agent_assertions', key: 'credential_id, jti' }),
  ],
});

const agentRoutes: readonly Route[] = [
  implement(api.createAgent, {
    check: checkAgentInput,
    async run({ context, act, principal, body }) {
      const agent = await transaction(context.db, (tx) =>
        createAgent(tx, act, principal, body, context.config.newAgentsRequireProof),
      );
      return { agent: agentView(agent) };
    },
  }),
  implement(api.listAgents, {
    async run({ context, principal, query }) {
      const { items, next_cursor } = await readPage(query, 'agent_id', (page) =>
        listAgents(context.db, principal.merchantId, page),
      );
      return { agents: items.map(agentView), next_cursor };
    },
  }),
  implement(api.getAgent, {
    async run({ context, principal, params }) {
      const agent = await readAgent(context.db, principal.merchantId, params['agentId'] ?? '');
      return { agent: agentView(agent) };
    },
  }),
  implement(api.updateAgent, {
    check: checkAgentChange,
    async run({ context, act, principal, params, body }) {
      refuseEmptyChange(body);
      const agent = await transaction(context.db, (tx) =>
        changeAgent(tx, act, principal, params['agentId'] ?? '', body),
      );
      return { agent: agentView(agent) };
    },
  }),
];

const placeOf = (params: Readonly<Record<string, string>>) => ({
  agentId: params['agentId'] ?? '',
  credentialId: params['credentialId'] ?? '',
});

const credentialRoutes: readonly Route[] = [
  implement(api.registerAgentCredential, {
    check: (body, context) => checkCredentialInput(body, context.clock.now()),
    async run({ context, act, principal, params, body }) {
      const { baseUrl } = context.config;
      const registered = await transaction(context.db, (tx) =>
        registerCredential(tx, act, principal, baseUrl, placeOf(params).agentId, body),
      );
      return answer(
        {
          credential: credentialView(registered.credential, act.now),
          proof_challenge: registered.challenge,
          proof_challenge_expires_at: registered.challengeExpiresAt.toISOString(),
        },
        { status: registered.isNew ? 201 : 200 },
      );
    },
  }),
  implement(api.listAgentCredentials, {
    async run({ context, act, principal, params, query }) {
      const { items, next_cursor } = await readPage(query, 'credential_id', (page) =>
        readCredentials(context.db, principal.merchantId, placeOf(params).agentId, page),
      );
      return { credentials: items.map((row) => credentialView(row, act.now)), next_cursor };
    },
  }),
  implement(api.activateAgentCredential, {
    check: checkCredentialProof,
    async run({ context, act, principal, params, body }) {
      const credential = await transaction(context.db, (tx) =>
        activateCredential(tx, act, principal, placeOf(params), body),
      );
      return { credential: credentialView(credential, act.now) };
    },
  }),
  implement(api.revokeAgentCredential, {
    async run({ context, act, principal, params }) {
      const credential = await transaction(context.db, (tx) =>
        revokeCredential(tx, act, principal, placeOf(params)),
      );
      return { credential: credentialView(credential, act.now) };
    },
  }),
];

const tokenRoutes: readonly Route[] = [
  implement(api.exchangeAgentAssertion, {
    async run({ context, act, body, clientNetwork, limit }) {
      const assertion = readAssertion(body.assertion, context.config.baseUrl);
      if (!assertion) throw new AppError('invalid_assertion');
      // The signature costs most, so attempts from one address in the name of one agent are counted before it.
      await limit('assertions', `${assertion.claims.iss} from ${clientNetwork}`);
      const proved = await proveAssertion(context.db, assertion);
      // Counted for the agent only once it has proved its identity: no other caller may use up an agent's limit. What
      // proves nothing is counted for its address.
      const rate = await limit('token', proved?.agentId ?? clientNetwork);
      if (!proved) throw new AppError('invalid_assertion');
      const issued = await transaction(context.db, (tx) => issueAgentToken(tx, act, proved));
      return answer(
        {
          agent_token: issued.token,
          token_type: 'Bearer',
          expires_in: AGENT_TOKEN_LIFE_MS / SECOND_MS,
          scopes: issued.scopes,
        },
        rate ? { headers: rate.headers } : {},
      );
    },
  }),
];

/**
 * The agent token: opaque, valid for ten minutes, and invalid as soon as the credential that signed for it or its agent
 * ends.
 */
export async function authenticateAgent(
  { db }: Context,
  presented: PresentedCredential,
  now: Date,
): Promise<AgentPrincipal> {
  const [row] = await db<TokenRow[]>`
    select t.agent_id, a.merchant_id, t.credential_id, t.expires_at as token_expires_at,
           c.status, c.not_before, c.expires_at, a.status as agent_status, a.allowed_scopes,
           a.suspended_by_installation_at, a.merchant_suspended_at
    from agent_tokens t
    join agent_credentials c on c.credential_id = t.credential_id
    join agents a on a.agent_id = t.agent_id
    where t.token_hash = ${presented.tokenHash}`;
  if (!row) throw new AppError('unauthenticated');
  if (row.agent_status === 'revoked' || credentialStatus(row, now) !== 'active')
    throw new AppError('token_revoked');
  if (row.token_expires_at < now) throw new AppError('token_expired');
  refuseSuspendedAgent(row);
  if (row.agent_status !== 'active') throw new AppError('agent_not_active');
  return {
    kind: 'agent',
    merchantId: row.merchant_id,
    agentId: row.agent_id,
    credentialId: row.credential_id,
    scopes: row.allowed_scopes,
  };
}

const BATCH = 100;

/** Ends the credentials of revoked agents. They have been invalid since the revocation; this updates their rows. */
const credentialJob: Job = {
  name: CREDENTIAL_JOB,
  everyMs: 30 * SECOND_MS,
  run: (context) =>
    transaction(context.db, async (tx) => {
      const ending = await claimEnding(tx);
      if (!ending) return false;
      const act = createAct(context, `job-${CREDENTIAL_JOB}`);
      const ended = await endCredentialsOf(tx, ending, BATCH);
      await recordAudit(
        tx,
        act,
        ...ended.map((credential) => ({
          merchantId: ending.merchant_id,
          type: 'credential.revoked' as const,
          actor: SYSTEM_ACTOR,
          target: { type: 'credential' as const, id: credential.credential_id },
          details: { agent_id: ending.agent_id, kid: credential.kid, because: 'agent.revoked' },
        })),
      );
      if (ended.length < BATCH) await forgetEnding(tx, ending);
      return true;
    }),
};
