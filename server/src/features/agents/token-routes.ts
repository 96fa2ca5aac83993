import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { AGENT_TOKEN_LIFE_MS, issueAgentToken, proveAssertion, readAssertion } from './exchange-assertion.ts';

export const tokenRoutes: readonly Route[] = [
  implement(api.exchangeAgentAssertion, {
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
