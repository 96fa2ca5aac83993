import { type DecisionKeySummary, type Device, DeviceSchema } from '@payassent/protocol/records';
import { toTimestamp } from '../../lib/clock.ts';
import { type Stored, viewOf } from '../record.ts';

export interface DeviceRow extends Stored<Omit<Device, 'decision_key'>> {
  joined_by: 'link' | 'recovery' | null;
  /** Its current one. */
  decision_key: (Omit<DecisionKeySummary, 'created_at'> & { created_at: string | Date }) | null;
}

const publish = viewOf(DeviceSchema);

export function deviceView(row: DeviceRow): Device {
  const { decision_key: key } = row;
  return publish({
    ...row,
    decision_key: key && { ...key, created_at: toTimestamp(new Date(key.created_at)) },
    has_push: row.status === 'active' && row.has_push,
  });
}
