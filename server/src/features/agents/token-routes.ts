import { SCOPES, TOKEN_PATH } from '@countersign/protocol';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { answer, defineRoute, type Route } from '../../http/route.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { AGENT_TOKEN_LIFE_MS, issueAgentToken, proveAssertion, readAssertion } from './exchange.ts';
import { TokenInput } from './schema.ts';

export const tokenRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: TOKEN_PATH,
    summary: 'Exchange a signed assertion for a short agent token',
    description:
      'A compact JWS with alg EdDSA or Ed25519 and kid; iss = sub = agent id, aud = base URL or this URL, iat, exp at most 300 seconds later, and a jti that is used once.',
    tag: 'Agent token',
    credential: [],
    lateLimits: ['assertions', 'token'],
    body: TokenInput,
    errors: [
      'invalid_assertion',
      'assertion_clock_skew',
      'assertion_replayed',
      'credential_not_active',
      'agent_not_active',
      'merchant_not_active',
    ],
    answer: Type.Object({
      agent_token: Type.String(),
      token_type: Type.Unsafe<'Bearer'>({ type: 'string', const: 'Bearer' }),
      expires_in: Type.Integer({ minimum: 1, description: 'Seconds.' }),
      scopes: Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...SCOPES] })),
    }),
    async run({ context, act, body, clientNetwork, limit }) {
      const assertion = readAssertion(body.assertion, context.config.baseUrl);
      if (!assertion) throw new AppError('invalid_assertion');
      // The signature costs most, so what comes from one place in the name of one agent is counted before it.
      await limit('assertions', `${assertion.claims.iss} from ${clientNetwork}`);
      const proved = await proveAssertion(context.db, assertion);
      // Counted for the agent only once it has proved to be it: nobody may use up another agent's limit. What
      // proves nothing is counted for the address it comes from.
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
