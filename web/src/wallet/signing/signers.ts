import type { Payment } from '../payments/payment.ts';
import { freighterSigner, stellarSigner } from '../stellar/key-store.ts';
import type { Signer, SigningAbility } from './signer.ts';

/**
 * The fallback without a key: the customer's own wallet app signs and sends. Approving reserves the payment for this
 * device first, so that no second device pays it too; the hash is reported afterwards.
 */
export const manualSigner: Signer = {
  id: 'manual',
  canSign: async () => ({ can: 'elsewhere' }),
  sign: async () => ({}),
  submit: async () => ({ outcome: 'elsewhere' }),
};

/** In order of preference; the last one can always help. */
const SIGNERS: readonly Signer[] = [stellarSigner, freighterSigner, manualSigner];

interface ChosenSigner {
  signer: Signer;
  ability: Exclude<SigningAbility, { can: 'no' }>;
  /** Why the signers before it could not, as sentences for the user. */
  declined: string[];
  /** Others that could sign it too, in order. */
  others: Signer[];
}

export async function chooseSigner(payment: Payment): Promise<ChosenSigner> {
  const asked = await Promise.all(
    SIGNERS.map(async (signer) => ({ signer, ability: await signer.canSign(payment) })),
  );
  const able = asked.flatMap(({ signer, ability }) => (ability.can === 'no' ? [] : [{ signer, ability }]));
  const [first = { signer: manualSigner, ability: { can: 'elsewhere' } as const }, ...others] = able;
  const before = asked.slice(0, SIGNERS.indexOf(first.signer));
  return {
    ...first,
    declined: before.flatMap(({ ability }) => (ability.can === 'no' && ability.why ? [ability.why] : [])),
    others: others.map(({ signer }) => signer),
  };
}

export function signerById(id: string): Signer {
  return SIGNERS.find((signer) => signer.id === id) ?? manualSigner;
}
