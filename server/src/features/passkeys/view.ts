import type { Passkey } from '@payassent/protocol/records';
import { toTimestamp, toTimestampOrNull } from '../../lib/clock.ts';

export function passkeyView(row: {
  passkey_id: string;
  name: string;
  backed_up: boolean;
  created_at: Date;
  effective_at: Date;
  last_used_at: Date | null;
}): Passkey {
  return {
    passkey_id: row.passkey_id,
    name: row.name,
    backed_up: row.backed_up,
    created_at: toTimestamp(row.created_at),
    effective_at: toTimestamp(row.effective_at),
    last_used_at: toTimestampOrNull(row.last_used_at),
  };
}
