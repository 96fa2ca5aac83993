import { transaction } from '../../db/open.ts';
import type { Authenticators } from '../../http/kernel.ts';
import { findDeviceToken, judgeDeviceToken, markDeviceTokenUsed } from './device-token.ts';
import { lastSeenOf } from './last-seen.ts';

export const authenticateDevice: Authenticators['wallet'] = async (context, presented, now) => {
  const { db } = context;
  const { tokenHash, deviceId } = presented;
  const row = await findDeviceToken(db, tokenHash);
  const principal = judgeDeviceToken(row, deviceId, now);
  lastSeenOf(context).note(tokenHash, now);
  if (row?.first_used_at) return principal;
  await transaction(db, (tx) => markDeviceTokenUsed(tx, principal.deviceId, tokenHash, now));
  return judgeDeviceToken(await findDeviceToken(db, tokenHash), deviceId, now);
};
