import { toTimestamp, toTimestampOrNull } from '../../lib/clock.ts';

export interface ApiKeyRow {
  api_key_id: string;
  agent_id: string;
  name: string;
  created_by: string | null;
  created_at: Date;
  revoked_at: Date | null;
}

export function apiKeyView(row: ApiKeyRow) {
  return {
    api_key_id: row.api_key_id,
    name: row.name,
    agent_id: row.agent_id,
    status: row.revoked_at === null ? 'active' : 'revoked',
    created_by: row.created_by,
    created_at: toTimestamp(row.created_at),
    revoked_at: toTimestampOrNull(row.revoked_at),
  };
}
