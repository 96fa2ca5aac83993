import type { Scope } from '@payassent/protocol';
import { ConnectionSchema, PairingSessionSchema } from '@payassent/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { defineRoute } from '../../http/route.ts';
import { scopeIssues } from '../agents/schema.ts';
import { refuseForeignScopes } from './claim.ts';
import { approvePairing, findPairingSession, rejectPairing } from './decide-pairing.ts';
import { createPairingSession, pollPairingSession } from './pairing.ts';
import {
  ApprovePairing,
  CreatePairingSession,
  NullableText,
  PairingCodeQuery,
  RejectPairing,
} from './schema.ts';
import { connectionView, pairingView } from './view.ts';

const tag = 'Pairing';
const SessionAnswer = Type.Object({ pairing_session: PairingSessionSchema });

export const pairingRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/pairing/sessions',
    summary: 'Start a pairing session: a short code and a URI for the user',
    tag,
    credential: ['agent'],
    limit: 'pairing',
    body: CreatePairingSession,
    status: 201,
    answer: SessionAnswer,
    errors: ['insufficient_scope'],
    check: (body) => scopeIssues(body.requested_scopes, 'requested_scopes'),
    async run({ context, act, principal, body }) {
      const requestedScopes = body.requested_scopes as Scope[];
      refuseForeignScopes(principal, requestedScopes);
      const input = { requestedScopes, baseUrl: context.config.baseUrl };
      const made = await transaction(context.db, (tx) =>
        createPairingSession(tx, act, context.keys, principal, input),
      );
      return {
        pairing_session: {
          ...pairingView(made.session),
          code: made.code,
          pairing_uri: made.pairingUri,
        },
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/pairing/sessions/{id}',
    summary: 'Look how the pairing stands; after the approval it carries the connection and its token',
    description: 'The token is repeated until its first use. The fifth wrong code ends the session.',
    tag,
    credential: ['agent'],
    limit: 'reads',
    query: PairingCodeQuery,
    answer: Type.Object({
      pairing_session: PairingSessionSchema,
      connection: Type.Union([ConnectionSchema, Type.Null()]),
      connection_token: NullableText,
    }),
    errors: ['resource_not_found'],
    async run({ context, act, principal, params, query }) {
      const polled = await pollPairingSession(context.db, act, context.keys, principal, {
        sessionId: params['id'] ?? '',
        code: query.code,
      });
      return {
        pairing_session: pairingView(polled.session),
        connection: polled.connection ? connectionView(polled.connection) : null,
        connection_token: polled.token ?? null,
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/pairing/sessions',
    summary: 'Find a pending session by its code, to see who asks before deciding',
    tag,
    credential: ['wallet'],
    limit: 'reads',
    lateLimits: ['pairing_lookup'],
    query: PairingCodeQuery,
    answer: SessionAnswer,
    errors: ['resource_not_found'],
    async run({ context, act, principal, query, limit }) {
      // Counted before the look, so that parallel guesses cannot slip through; a hit is given back.
      const rate = await limit('pairing_lookup', principal.deviceId);
      const session = await findPairingSession(context.db, context.keys, query.code, act.now);
      if (!session) throw notFound();
      await rate?.giveBack();
      return { pairing_session: pairingView(session) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/pairing/sessions/{id}/approve',
    summary: 'Approve a pairing; wallet and agent receive the same connection token',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    body: ApprovePairing,
    answer: Type.Object({ connection: ConnectionSchema, connection_token: Type.String() }),
    errors: ['resource_not_found', 'pairing_closed', 'agent_not_active', 'merchant_not_active'],
    check: (body) => scopeIssues(body.scopes, 'scopes'),
    async run({ context, act, principal, params, body }) {
      const made = await approvePairing(context.db, act, context.keys, principal, {
        sessionId: params['id'] ?? '',
        code: body.code,
        scopes: body.scopes as Scope[] | undefined,
      });
      return { connection: connectionView(made.connection), connection_token: made.token };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/pairing/sessions/{id}/reject',
    summary: 'Reject a pairing',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    body: RejectPairing,
    answer: SessionAnswer,
    errors: ['resource_not_found', 'pairing_closed'],
    async run({ context, act, principal, params, body }) {
      const session = await rejectPairing(context.db, act, context.keys, principal, {
        sessionId: params['id'] ?? '',
        code: body.code,
      });
      return { pairing_session: pairingView(session) };
    },
  }),
];
