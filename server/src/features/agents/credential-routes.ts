import { CredentialSchema } from '@countersign/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { answer, defineRoute, type Route } from '../../http/route.ts';
import { activateCredential } from './activate-credential.ts';
import { readCredentials } from './read.ts';
import { registerCredential } from './register-credential.ts';
import { revokeCredential } from './revoke-credential.ts';
import { CredentialInput, CredentialProof, checkCredentialInput, checkCredentialProof } from './schema.ts';
import { credentialView } from './view.ts';

const TAG = 'Agent credentials';
const PATH = '/v1/agents/{agentId}/credentials';

const placeOf = (params: Readonly<Record<string, string>>) => ({
  agentId: params['agentId'] ?? '',
  credentialId: params['credentialId'] ?? '',
});

export const credentialRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: PATH,
    summary: 'Register an Ed25519 public key and get the challenge that proves the private one',
    description:
      'The same kid and key again, while unproved, answers 200 with a fresh challenge; the old one is dead. The challenge is valid for five minutes.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: CredentialInput,
    check: (body, context) => checkCredentialInput(body, context.clock.now()),
    errors: ['resource_not_found', 'kid_conflict', 'invalid_status_transition'],
    status: 201,
    statusWhenKnown: 200,
    answer: Type.Object({
      credential: CredentialSchema,
      proof_challenge: Type.String({ description: 'The text to sign, byte for byte.' }),
      proof_challenge_expires_at: Type.String({ format: 'date-time' }),
    }),
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
  defineRoute({
    method: 'GET',
    path: PATH,
    summary: 'List the credentials of an agent, newest first',
    tag: TAG,
    credential: ['merchant'],
    limit: 'reads',
    query: Type.Object(PAGE_QUERY),
    errors: ['resource_not_found'],
    answer: Type.Object({
      credentials: Type.Array(CredentialSchema),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    }),
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
  defineRoute({
    method: 'POST',
    path: `${PATH}/{credentialId}/activate`,
    summary: 'Prove possession of the private key with a signature over the challenge',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: CredentialProof,
    check: checkCredentialProof,
    errors: ['resource_not_found', 'challenge_expired', 'challenge_used', 'invalid_status_transition'],
    answer: Type.Object({ credential: CredentialSchema }),
    async run({ context, act, principal, params, body }) {
      const credential = await transaction(context.db, (tx) =>
        activateCredential(tx, act, principal, placeOf(params), body),
      );
      return { credential: credentialView(credential, act.now) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/{credentialId}`,
    summary: 'Revoke a credential; every agent token it signed for is dead at once',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    errors: ['resource_not_found', 'invalid_status_transition'],
    answer: Type.Object({ credential: CredentialSchema }),
    async run({ context, act, principal, params }) {
      const credential = await transaction(context.db, (tx) =>
        revokeCredential(tx, act, principal, placeOf(params)),
      );
      return { credential: credentialView(credential, act.now) };
    },
  }),
];
