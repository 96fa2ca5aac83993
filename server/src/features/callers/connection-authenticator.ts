import type { Authenticators } from '../../http/authenticate.ts';
import { findConnectionToken, judgeConnectionToken, markFirstUse } from './connection-token.ts';

export const authenticateConnection: Authenticators['connection'] = async ({ db }, presented, now) => {
  const row = await findConnectionToken(db, presented.tokenHash, now);
  const principal = judgeConnectionToken(row);
  if (row?.first_used_at || (await markFirstUse(db, presented.tokenHash, now))) return principal;
  return judgeConnectionToken(await findConnectionToken(db, presented.tokenHash, now));
};
