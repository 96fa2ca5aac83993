import type { Scope } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { implement } from '../../http/route.ts';
import { scopeIssues } from '../agents/schema.ts';
import { refuseForeignScopes } from './claim.ts';
import { approvePairing, findPairingSession, rejectPairing } from './decide-pairing.ts';
import { createPairingSession, pollPairingSession } from './pairing.ts';
import { connectionView, pairingView } from './view.ts';

export const pairingRoutes = [
  implement(api.createPairingSession, {
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
  implement(api.getPairingSession, {
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
  implement(api.findPairingSession, {
    async run({ context, act, principal, query, limit }) {
      // Counted before the look, so that parallel guesses cannot slip through; a hit is given back.
      const rate = await limit('pairing_lookup', principal.deviceId);
      const session = await findPairingSession(context.db, context.keys, query.code, act.now);
      if (!session) throw notFound();
      await rate?.giveBack();
      return { pairing_session: pairingView(session) };
    },
  }),
  implement(api.approvePairingSession, {
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
  implement(api.rejectPairingSession, {
    async run({ context, act, principal, params, body }) {
      const session = await rejectPairing(context.db, act, context.keys, principal, {
        sessionId: params['id'] ?? '',
        code: body.code,
      });
      return { pairing_session: pairingView(session) };
    },
  }),
];
