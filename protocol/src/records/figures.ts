import type { Static } from 'typebox';
import { DECIMAL_PATTERN } from '../amounts.ts';
import { NETWORKS } from '../enumerations.ts';
import { integer, nullableInteger, oneOf, pattern, record, Type, text, time } from './schema.ts';

/** Whose word it is that money arrived. Never added up: a claim is no fact. */
const STANDINGS = ['final', 'reported', 'disputed'] as const;

const sum = (description: string) => pattern(DECIMAL_PATTERN, description);

const ReceivedSchema = record('ReceivedFigure', 'Exact sums of one asset on one word.', {
  network: oneOf(NETWORKS, 'The network.'),
  asset: text('The asset.'),
  issuer: Type.Optional(text('Issuing account, on Stellar.')),
  contract: Type.Optional(text('Token contract, on EVM networks.')),
  standing: oneOf(
    STANDINGS,
    '`final`: the chain shows payment as pinned. `reported`: only the wallet reports payment. `disputed`: the wallet reports payment, the chain contradicts it.',
  ),
  today: sum('Since `today`.'),
  week: sum('Seven days.'),
  month: sum('Thirty days.'),
});

export const FiguresSchema = record(
  'Figures',
  'Sums and counts of the requests of thirty days. No payment is in two rows.',
  {
    today: time('When today began.'),
    complete_since: time('All since then is counted; later than thirty days ago when there was too much.'),
    received: Type.Array(ReceivedSchema, { description: 'Payment requests and agent payments.' }),
    approved: integer('Requests that customers approved.'),
    rejected: integer('Requests that customers rejected.'),
    undecided: integer('Requests that ended without a decision.'),
    median_decision_ms: nullableInteger('From request to decision; null without one.'),
    waiting: integer('Pending now, of any age, 10,000 at most.'),
  },
);
export type Figures = Static<typeof FiguresSchema>;
