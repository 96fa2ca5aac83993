import type { DeviceStatus } from '@payassent/protocol';
import type { DecisionKeySummary, Device } from '@payassent/protocol/records';
import { toTimestamp } from '../../lib/clock.ts';

export interface DeviceRow {
  device_id: string;
  wallet_id: string;
  name: string;
  platform: string | null;
  status: DeviceStatus;
  joined_by: 'link' | 'recovery' | null;
  /** Its current one. */
  decision_key: (Omit<DecisionKeySummary, 'created_at'> & { created_at: string | Date }) | null;
  has_push: boolean;
  created_at: Date;
}

export function deviceView(row: DeviceRow): Device {
  const { decision_key: key } = row;
  return {
    device_id: row.device_id,
    wallet_id: row.wallet_id,
    name: row.name,
    platform: row.platform,
    status: row.status,
    decision_key: key && { ...key, created_at: toTimestamp(new Date(key.created_at)) },
    has_push: row.status === 'active' && row.has_push,
    created_at: toTimestamp(row.created_at),
  };
}
