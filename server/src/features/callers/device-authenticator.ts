import { transaction } from '../../db/open.ts';
import type { Authenticators } from '../../http/kernel.ts';
import { findDeviceToken, judgeDeviceToken, markDeviceTokenUsed } from './device-token.ts';
import type { LastSeen } from './last-seen.ts';

export const authenticateDevice =
  (lastSeen: LastSeen): Authenticators['wallet'] =>
  async ({ db }, presented, now) => {
    const { tokenHash, deviceId } = presented;
    const row = await findDeviceToken(db, tokenHash);
    const principal = judgeDeviceToken(row, deviceId, now);
    lastSeen.note(tokenHash, now);
    if (row?.first_used_at) return principal;
    await transaction(db, (tx) => markDeviceTokenUsed(tx, principal.deviceId, tokenHash, now));
    return judgeDeviceToken(await findDeviceToken(db, tokenHash), deviceId, now);
  };
