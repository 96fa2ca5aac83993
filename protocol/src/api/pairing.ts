import { ConnectionSchema, PairingSessionSchema, StartedPairingSessionSchema } from '../records/connect.ts';
import { nullableText, record, Type } from '../records/schema.ts';
import { input, scopeList, TokenAnswer } from './members.ts';
import { operations } from './operation.ts';

const operation = operations({ tag: 'Pairing', credential: ['wallet'] });

const SessionAnswer = record('PairingAnswer', 'One pairing session.', {
  pairing_session: PairingSessionSchema,
});
const code = Type.String({ description: 'As shown by the agent; case and hyphen do not matter.' });
const PairingQuery = record('PairingQuery', 'Which pairing session.', { code });

export const createPairingSession = operation('createPairingSession', 'POST /v1/pairing/sessions', {
  summary: 'Start a pairing session: a short code and a URI for the customer',
  description: 'Show the code, or the URI as a QR code, to the customer. The session lives for ten minutes.',
  credential: ['agent'],
  limit: 'pairing',
  body: input('PairingInput', 'A new pairing.', {
    requested_scopes: scopeList('What the agent requests from the customer.'),
  }),
  status: 201,
  answer: record('StartedPairing', 'A new pairing session.', {
    pairing_session: StartedPairingSessionSchema,
  }),
  errors: ['insufficient_scope'],
  example: { requested_scopes: ['payment.requests.create', 'payment.requests.read'] },
});

export const getPairingSession = operation('getPairingSession', 'GET /v1/pairing/sessions/{id}', {
  summary: 'Read the state of the pairing; after the approval it has the connection and its token',
  description:
    'The token is the one that the wallet has seen, repeated until its first use: use collect-token to replace it with a token that only you know, which completes the session. The fifth wrong code ends the session.',
  credential: ['agent'],
  query: PairingQuery,
  answer: record('PairingState', 'The state of a pairing.', {
    pairing_session: PairingSessionSchema,
    connection: Type.Union([ConnectionSchema, Type.Null()], { description: 'Null before the approval.' }),
    connection_token: nullableText(
      'The token that the wallet has seen. Null before the approval, after its first use, and once the agent has collected its own.',
    ),
  }),
});

export const findPairingSession = operation('findPairingSession', 'GET /v1/pairing/sessions', {
  summary: 'Find a pending session by its code, to see the agent before deciding',
  description: 'Show agent, merchant, verified domain and scopes to the customer before deciding.',
  lateLimits: ['pairing_lookup'],
  query: PairingQuery,
  answer: SessionAnswer,
  errors: ['resource_not_found'],
});

export const approvePairingSession = operation(
  'approvePairingSession',
  'POST /v1/pairing/sessions/{id}/approve',
  {
    sdk: 'WalletPairing.approve',
    summary: 'Approve a pairing; the wallet receives a connection token',
    description:
      'The code proves that the customer has read it from the screen of the agent. The agent replaces the token with its own.',
    body: input('ApprovePairingInput', "The customer's approval of a pairing.", {
      code,
      scopes: Type.Optional(scopeList('Some of the requested scopes; all of them when absent.')),
    }),
    answer: TokenAnswer,
    errors: ['pairing_closed', 'agent_not_active', 'merchant_not_active'],
    example: { code: 'BCDF-GHJK' },
  },
);

export const rejectPairingSession = operation(
  'rejectPairingSession',
  'POST /v1/pairing/sessions/{id}/reject',
  {
    sdk: 'WalletPairing.reject',
    summary: 'Reject a pairing',
    description: 'Final. The agent has to start another session.',
    body: input('RejectPairingInput', "The customer's rejection of a pairing.", { code }),
    answer: SessionAnswer,
    errors: ['pairing_closed'],
    example: { code: 'BCDF-GHJK' },
  },
);
