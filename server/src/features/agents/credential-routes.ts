import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import { activateCredential } from './activate-credential.ts';
import { readCredentials } from './read.ts';
import { registerCredential } from './register-credential.ts';
import { revokeCredential } from './revoke-credential.ts';
import { checkCredentialInput, checkCredentialProof } from './schema.ts';
import { credentialView } from './view.ts';

const placeOf = (params: Readonly<Record<string, string>>) => ({
  agentId: params['agentId'] ?? '',
  credentialId: params['credentialId'] ?? '',
});

export const credentialRoutes: readonly Route[] = [
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
      const { agentId } = placeOf(params);
      const page = { limit: query.limit, after: decodeCursor(query.cursor) };
      const rows = await readCredentials(context.db, principal.merchantId, agentId, page);
      const { items, nextCursor } = toPage(rows, query.limit, (row) => ({
        createdAt: row.created_at,
        id: row.credential_id,
      }));
      return { credentials: items.map((row) => credentialView(row, act.now)), next_cursor: nextCursor };
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
