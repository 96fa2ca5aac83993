import type { Device, DeviceStatus } from '@payassent/protocol';
import { toTimestamp } from '../../lib/clock.ts';

export interface DeviceRow {
  device_id: string;
  wallet_id: string;
  name: string;
  platform: string | null;
  status: DeviceStatus;
  created_at: Date;
}

export function deviceView(row: DeviceRow): Device {
  return {
    device_id: row.device_id,
    wallet_id: row.wallet_id,
    name: row.name,
    platform: row.platform,
    status: row.status,
    created_at: toTimestamp(row.created_at),
  };
}
