import { headerValues } from '../../http/headers.ts';
import type { Authenticators } from '../../http/kernel.ts';
import { findConnectionToken, judgeConnectionToken, markFirstUse } from './connection-token.ts';
import { proveSender } from './sender-proof.ts';

export const authenticateConnection: Authenticators['connection'] = async (
  context,
  presented,
  now,
  { request, limiter },
) => {
  const { db, config } = context;
  const row = await findConnectionToken(db, presented.tokenHash, now);
  const principal = judgeConnectionToken(row);
  // Before the first use is written down: a token that is shown without its key has not been used.
  const proofs = headerValues(request, 'dpop');
  if (row && (row.require_proof || proofs.length > 0)) {
    const [path = ''] = (request.url ?? '').split('?');
    const call = {
      method: request.method ?? '',
      path,
      baseUrl: config.baseUrl,
      proofs,
      countSignature: () => limiter.take('proofs', row.connection_id, now),
    };
    await proveSender(db, presented, row.agent_id, call, now);
  }
  if (row?.first_used_at || (await markFirstUse(db, presented.tokenHash, now))) return principal;
  return judgeConnectionToken(await findConnectionToken(db, presented.tokenHash, now));
};
