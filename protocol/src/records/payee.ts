import type { Static } from 'typebox';
import { NETWORKS, PAYEE_BINDINGS, RAILS } from '../enumerations.ts';
import { anyText, constant, digest, id, integer, oneOf, record, Type, text, time } from './schema.ts';

const { Optional } = Type;

export const PayeeSchema = record('Payee', 'A payee that the agent may request payments to.', {
  recipient_id: id('rcp', 'The Recipient; a create names it.'),
  recipient_version_id: id('rcv', 'Its active version.'),
  name: text('The payee, as the active version names it.'),
  domain: text('The domain that vouches for it.'),
  verified: constant(true, 'Only payees that a domain vouches for are listed.'),
  binding: oneOf(
    PAYEE_BINDINGS,
    '`payee`: the domain publishes this very payee. `domain`: only that it belongs to the organization.',
  ),
  evidence_digest: digest('The evidence with which the version was activated.'),
  payment: record('PayeePayment', 'Where and in what the payee is paid.', {
    rail: oneOf(RAILS, 'The family of payment methods.'),
    network: oneOf(NETWORKS, 'The network on which to pay.'),
    asset: text('The native symbol of the network, such as `XLM`, or a token.'),
    to: text('The address that is paid.'),
    decimals: integer('Decimal places of the asset.', 0, 255),
    contract: Optional(anyText('Token contract, on EVM networks.')),
    issuer: Optional(anyText('Issuing account, on Stellar for every asset but XLM.')),
    chain_id: Optional(integer('Chain id, on EVM networks.')),
    memo: Optional(anyText('Memo, destination tag or comment that the payment must carry.')),
    memo_policy: Optional(constant('request', 'Each request gets a separate memo.')),
  }),
  activated_at: time('When the version was activated.'),
});
export type Payee = Static<typeof PayeeSchema>;
