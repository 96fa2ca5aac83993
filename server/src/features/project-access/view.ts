import { type ApiKey, ApiKeySchema } from '@payassent/protocol/records';
import { type Stored, viewOf } from '../record.ts';

export type ApiKeyRow = Stored<Omit<ApiKey, 'status'>>;

const publish = viewOf(ApiKeySchema);

export function apiKeyView(row: ApiKeyRow): ApiKey {
  return publish({ ...row, status: row.revoked_at === null ? 'active' : 'revoked' });
}
