import { EVIDENCE_TYPES, type EvidenceType, NETWORKS, type Network } from '@payassent/protocol';
import { type Static, Type } from 'typebox';

const name = Type.String({ minLength: 1, maxLength: 200, description: 'What wallets show as the payee.' });
/** Any whole number: one that is not the current version is a conflict, not a fault of form. */
const version = Type.Integer({ description: 'The version of the Recipient that this change is based on.' });

/** What a merchant states about a payee; rail, and what else follows from the network, is derived. */
const facts = {
  network: Type.Unsafe<Network>({ type: 'string', enum: [...NETWORKS] }),
  asset: Type.String({ minLength: 1, description: 'The native symbol, such as XLM, or a token.' }),
  address: Type.String({ minLength: 1, description: 'Checked with the checksum of its network.' }),
  memo: Type.Optional(
    Type.String({ description: 'Memo, destination tag or comment, as the network has it.' }),
  ),
  contract: Type.Optional(Type.String({ description: 'Token contract, on EVM networks.' })),
  issuer: Type.Optional(Type.String({ description: 'Issuing account, on Stellar for every asset but XLM.' })),
  decimals: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 255, description: 'Needed for ERC-20 tokens; otherwise known.' }),
  ),
  chain_id: Type.Optional(Type.Integer({ minimum: 0, description: 'When sent, it must be the network’s.' })),
};

const pending = Type.Optional(
  Type.Unsafe<'keep' | 'reject'>({
    type: 'string',
    enum: ['keep', 'reject'],
    description:
      'What becomes of requests to this payee that await a decision: kept when absent; rejected with the reason payee_recalled.',
  }),
);

const closed = { additionalProperties: false } as const;

export const RecipientInput = Type.Object({ name, ...facts }, closed);
export type RecipientInput = Static<typeof RecipientInput>;

export const VersionInput = Type.Object({ ...facts, version }, closed);
export type VersionInput = Static<typeof VersionInput>;

export const RecipientChange = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The label; versions keep theirs.' }),
    ),
    status: Type.Optional(
      Type.Unsafe<'archived'>({ type: 'string', enum: ['archived'], description: 'Final.' }),
    ),
    pending,
    version,
  },
  closed,
);
export type RecipientChange = Static<typeof RecipientChange>;

export const VerifyInput = Type.Object(
  {
    recipient_version_id: Type.String(),
    type: Type.Unsafe<EvidenceType>({ type: 'string', enum: [...EVIDENCE_TYPES] }),
    source_id: Type.String({ description: 'A verified domain of this organization.' }),
    version,
  },
  closed,
);
export type VerifyInput = Static<typeof VerifyInput>;

export const ActivateInput = Type.Object(
  { evidence_id: Type.String(), evidence_digest: Type.String(), pending, version },
  closed,
);
export type ActivateInput = Static<typeof ActivateInput>;
