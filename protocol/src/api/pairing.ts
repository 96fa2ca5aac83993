import { Type } from 'typebox';
import { ConnectionSchema, PairingSessionSchema, StartedPairingSessionSchema } from '../records/connect.ts';
import { nullableText } from '../records/schema.ts';
import { CLOSED, SCOPE_LIST, TokenAnswer } from './members.ts';
import { operation } from './operation.ts';

const tag = 'Pairing';
const SessionAnswer = Type.Object({ pairing_session: PairingSessionSchema });
const code = Type.String({ description: 'As shown by the agent; case and hyphen do not matter.' });

export const createPairingSession = operation({
  id: 'createPairingSession',
  method: 'POST',
  path: '/v1/pairing/sessions',
  summary: 'Start a pairing session: a short code and a URI for the user',
  tag,
  credential: ['agent'],
  limit: 'pairing',
  body: Type.Object({ requested_scopes: SCOPE_LIST }, CLOSED),
  status: 201,
  answer: Type.Object({ pairing_session: StartedPairingSessionSchema }),
  errors: ['insufficient_scope'],
});

export const getPairingSession = operation({
  id: 'getPairingSession',
  method: 'GET',
  path: '/v1/pairing/sessions/{id}',
  summary: 'Look how the pairing stands; after the approval it carries the connection and its token',
  description: 'The token is repeated until its first use. The fifth wrong code ends the session.',
  tag,
  credential: ['agent'],
  limit: 'reads',
  query: Type.Object({ code }),
  answer: Type.Object({
    pairing_session: PairingSessionSchema,
    connection: Type.Union([ConnectionSchema, Type.Null()]),
    connection_token: nullableText(),
  }),
  errors: ['resource_not_found'],
});

export const findPairingSession = operation({
  id: 'findPairingSession',
  method: 'GET',
  path: '/v1/pairing/sessions',
  summary: 'Find a pending session by its code, to see who asks before deciding',
  tag,
  credential: ['wallet'],
  limit: 'reads',
  lateLimits: ['pairing_lookup'],
  query: Type.Object({ code }),
  answer: SessionAnswer,
  errors: ['resource_not_found'],
});

export const approvePairingSession = operation({
  id: 'approvePairingSession',
  method: 'POST',
  path: '/v1/pairing/sessions/{id}/approve',
  summary: 'Approve a pairing; wallet and agent receive the same connection token',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: Type.Object({ code, scopes: Type.Optional(SCOPE_LIST) }, CLOSED),
  answer: TokenAnswer,
  errors: ['resource_not_found', 'pairing_closed', 'agent_not_active', 'merchant_not_active'],
});

export const rejectPairingSession = operation({
  id: 'rejectPairingSession',
  method: 'POST',
  path: '/v1/pairing/sessions/{id}/reject',
  summary: 'Reject a pairing',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  body: Type.Object({ code }, CLOSED),
  answer: SessionAnswer,
  errors: ['resource_not_found', 'pairing_closed'],
});
