import { encodeStrKey } from '@payassent/protocol';
import { notFound } from '../../errors.ts';
import type { Document } from '../../http/document.ts';
import { linkKey, originDomain } from './link-key.ts';

/** SEP-1: the key under which wallets verify them. Any page may read it, as the standard asks. */
export const stellarToml: Document = {
  method: 'GET',
  path: '/.well-known/stellar.toml',
  serve({ config, keys }) {
    if (originDomain(config.baseUrl) === undefined) throw notFound();
    const address = encodeStrKey('account', linkKey(keys).publicKey);
    return {
      contentType: 'text/plain; charset=utf-8',
      body: `URI_REQUEST_SIGNING_KEY="${address}"\n`,
      headers: { 'access-control-allow-origin': '*', 'cache-control': 'no-cache' },
    };
  },
};
