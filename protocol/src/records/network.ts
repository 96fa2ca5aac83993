import type { Static } from 'typebox';
import { NETWORKS, RAILS } from '../enumerations.ts';
import { flag, integer, nullableText, oneOf, record, Type, text } from './schema.ts';

export const NetworkInfoSchema = record('NetworkInfo', 'A network and what payments on it can carry.', {
  network: oneOf(NETWORKS, 'The network.'),
  caip2: text('The same network in CAIP-2 form, such as `eip155:1`.'),
  rails: Type.Array(oneOf(RAILS, 'The family of payment methods.'), {
    description: 'Every rail that leads through this network.',
  }),
  native_asset: nullableText('The symbol of the network\u2019s own coin; null where it has no rail.'),
  decimals: integer(
    'Decimal places of the native asset; where there is none, of the asset of its rail.',
    0,
    255,
  ),
  address_form: text('The form of an address.'),
  memo: Type.Union(
    [
      record('NetworkMemo', 'What a payer can attach.', {
        kind: oneOf(['text', 'number'], 'What the memo is.'),
        max_bytes: integer('At most so many bytes.', 1),
      }),
      Type.Null(),
    ],
    { description: 'What a payer can attach; null where payments carry no memo.' },
  ),
  max_amount: nullableText('The largest amount of the native asset that one payment can carry.'),
  explorer: text('The page of a transaction in an explorer, with `{tx_hash}` for its hash.'),
  is_testnet: flag('True for test networks.'),
  enabled: flag('Whether this service lets payees on it be activated and paid.'),
});
export type NetworkInfo = Static<typeof NetworkInfoSchema>;
