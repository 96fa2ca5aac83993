import { encodeStrKey } from '@payassent/protocol';
import { notFound } from '../../errors.ts';
import type { Document } from '../../http/document.ts';
import type { Links } from '../../payments/index.ts';

/** SEP-1: the key under which wallets verify them. Any page may read it, as the standard requires. */
export const stellarToml = ({ signingKey }: Links): Document => ({
  method: 'GET',
  path: '/.well-known/stellar.toml',
  serve() {
    if (signingKey === undefined) throw notFound();
    const address = encodeStrKey('account', signingKey);
    return {
      contentType: 'text/plain; charset=utf-8',
      body: `URI_REQUEST_SIGNING_KEY="${address}"\n`,
      headers: { 'access-control-allow-origin': '*', 'cache-control': 'no-cache' },
    };
  },
});
