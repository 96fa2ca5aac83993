import type { OperatorRole, SignInMethod } from '@payassent/protocol';
import { STEP_UP_LIFE_MS } from '@payassent/protocol/api';
import type { MerchantSession, Operator } from '@payassent/protocol/records';
import { addMs, toTimestamp } from '../../lib/clock.ts';

export interface SessionFacts {
  session_id: string;
  account_id: string;
  signed_in_by: SignInMethod;
  network_address: string | null;
  user_agent: string | null;
  stepped_up_at: Date | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
}

export function sessionView(
  session: SessionFacts,
  asking: { sessionId: string; now: Date },
): MerchantSession {
  const { stepped_up_at } = session;
  const until = stepped_up_at && addMs(stepped_up_at, STEP_UP_LIFE_MS);
  return {
    session_id: session.session_id,
    current: session.session_id === asking.sessionId,
    signed_in_by: session.signed_in_by,
    network_address: session.network_address,
    user_agent: session.user_agent,
    stepped_up_until: until && until >= asking.now ? toTimestamp(until) : null,
    created_at: toTimestamp(session.created_at),
    last_seen_at: toTimestamp(session.last_seen_at),
    expires_at: toTimestamp(session.expires_at),
  };
}

interface OperatorFacts {
  accountId: string;
  email: string;
  role: OperatorRole;
  created_at: Date;
  joined_at: Date | null;
}

export function operatorView(operator: OperatorFacts): Operator {
  return {
    operator_id: operator.accountId,
    email: operator.email,
    role: operator.role,
    status: operator.joined_at === null ? 'invited' : 'active',
    created_at: toTimestamp(operator.created_at),
  };
}
