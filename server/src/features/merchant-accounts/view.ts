import type { OperatorRole } from '@payassent/protocol';
import { STEP_UP_LIFE_MS } from '@payassent/protocol/api';
import { type MerchantSession, MerchantSessionSchema, type Operator } from '@payassent/protocol/records';
import { addMs, toTimestamp } from '../../lib/clock.ts';
import { type Stored, viewOf } from '../record.ts';

export interface SessionFacts extends Stored<Omit<MerchantSession, 'current' | 'stepped_up_until'>> {
  account_id: string;
  stepped_up_at: Date | null;
}

const publish = viewOf(MerchantSessionSchema);

export function sessionView(
  session: SessionFacts,
  asking: { sessionId: string; now: Date },
): MerchantSession {
  const { stepped_up_at } = session;
  const until = stepped_up_at && addMs(stepped_up_at, STEP_UP_LIFE_MS);
  return publish({
    ...session,
    current: session.session_id === asking.sessionId,
    stepped_up_until: until && until >= asking.now ? until : null,
  });
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
