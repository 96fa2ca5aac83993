import { SECOND_SURFACE_NETWORK } from '@countersign/protocol';
import { PolicyEvaluationSchema } from '@countersign/protocol/records';
import { type Static, Type } from 'typebox';

export const CLOSED = { additionalProperties: false } as const;
const MAX_ALLOWLIST = 100;

export function reference(description: string) {
  return Type.String({ minLength: 1, maxLength: 160, description });
}

export const NETWORK = Type.Unsafe<typeof SECOND_SURFACE_NETWORK>({
  type: 'string',
  enum: [SECOND_SURFACE_NETWORK],
  description: 'Every other network is refused with phase_0_mainnet_disabled.',
});
export const ASSET = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'As the Recipient names it; upper and lower case count.',
});
export const AMOUNT = Type.String({ description: 'Exact decimal, for example "12.50".' });

const thresholds = {
  single_tx_limit: Type.Optional(Type.String({ description: 'Most that one payment may have.' })),
  cumulative_limit: Type.Optional(
    Type.String({ description: 'Most that all payments under the policy may have together.' }),
  ),
  validity_window: Type.Optional(
    Type.Object(
      {
        from: Type.String({ format: 'date-time', description: 'The first instant.' }),
        until: Type.String({ format: 'date-time', description: 'The first instant after it.' }),
      },
      CLOSED,
    ),
  ),
  allowlist: Type.Optional(
    Type.Array(
      Type.Object(
        {
          recipient_id: Type.Optional(reference('A Recipient.')),
          address: Type.Optional(reference('An address.')),
          memo: Type.Optional(
            Type.String({
              maxLength: 160,
              description:
                'Beside an address: covers payments with exactly this memo. Without it, those without one.',
            }),
          ),
        },
        CLOSED,
      ),
      {
        maxItems: MAX_ALLOWLIST,
        description: 'Who may be paid; each entry names a Recipient or an address.',
      },
    ),
  ),
};

export const PolicyInput = Type.Object(
  {
    connection_id: reference('The connection whose agent may act.'),
    network: NETWORK,
    asset: ASSET,
    issuer: Type.Optional(reference('Required when the asset is not the native one.')),
    ...thresholds,
  },
  CLOSED,
);
export type PolicyInput = Static<typeof PolicyInput>;

/** Any whole number: one that is not the current version is a conflict, not a fault of form. */
const version = Type.Integer({ description: 'The version that the caller has seen.' });

export const PolicyChange = Type.Object({ ...thresholds, version }, CLOSED);
export type PolicyChange = Static<typeof PolicyChange>;

/** What PATCH may change and POST may fill in. */
export type Thresholds = Pick<
  PolicyInput,
  'single_tx_limit' | 'cumulative_limit' | 'validity_window' | 'allowlist'
>;

export const VersionInput = Type.Object({ version }, CLOSED);

export const EvaluateInput = Type.Object(
  {
    amount: AMOUNT,
    to: Type.Optional(reference('A destination address.')),
    recipient_id: Type.Optional(reference('A Recipient, instead of an address.')),
  },
  CLOSED,
);
export type EvaluateInput = Static<typeof EvaluateInput>;

export const EvaluationAnswer = PolicyEvaluationSchema;
