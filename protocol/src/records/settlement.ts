import type { Static } from 'typebox';
import { DECIMAL_PATTERN } from '../amounts.ts';
import { SETTLEMENT_FACTS, SETTLEMENT_STATES } from '../enumerations.ts';
import {
  integer,
  nullableInteger,
  nullableText,
  nullableTime,
  oneOf,
  pattern,
  record,
  Type,
  text,
  time,
} from './schema.ts';

const ObservedTransactionSchema = record('ObservedTransaction', 'A transaction by its effects.', {
  tx_hash: text('Its name on the network; of a fee bump, that of the fee bump.'),
  block: nullableInteger('The number of its block or ledger.'),
  block_hash: nullableText('The hash of that block.'),
  time: nullableTime('When that block was made.'),
  confirmations: integer('Blocks since then, its own included.'),
  payments: Type.Array(
    Type.Object({
      to: text('Who was paid.'),
      asset: text('In what.'),
      amount: pattern(DECIMAL_PATTERN, 'How much.'),
      issuer: Type.Optional(text('Issuing account, on Stellar.')),
      contract: Type.Optional(text('Token contract, on EVM networks.')),
    }),
    { description: 'What moved.' },
  ),
  memo: nullableText('The memo that it carries.'),
});
export type ObservedTransaction = Static<typeof ObservedTransactionSchema>;

/** Both surfaces show it in their records. */
export const SettlementSchema = record('Settlement', 'The state of the reported transaction on the chain.', {
  state: oneOf(
    SETTLEMENT_STATES,
    '`final`: paid as pinned, for this request alone. `mismatch`: final, but something differs.',
  ),
  checked_at: time('When the sources were last queried.'),
  sources: Type.Object(
    { asked: integer('Configured ones.'), agreed: integer('Those that agree on the state.') },
    { description: 'How many nodes agree on the state.' },
  ),
  transaction: Type.Union([ObservedTransactionSchema, Type.Null()], { description: 'As found.' }),
  differences: Type.Array(
    Type.Object({
      fact: oneOf(
        SETTLEMENT_FACTS,
        'What differs. `time`: the transaction is older than the request. `claimed`: other requests took its payments.',
      ),
      pinned: nullableText('As the customer approved it.'),
      observed: nullableText('As the chain has it.'),
    }),
    { description: 'Pinned facts that it does not keep.' },
  ),
});
export type Settlement = Static<typeof SettlementSchema>;

export const settlementMember = Type.Optional(
  Type.Union([SettlementSchema, Type.Null()], {
    description: 'What the chain shows; null without an observer, and before its first check.',
  }),
);

/** In events about it. */
export const settlementState = Type.Optional(oneOf(SETTLEMENT_STATES, 'The settlement from then on.'));
