import type { Payment } from '../payments/payment.ts';
import { stellarSigner } from '../stellar/key-store.ts';
import { manualSigner } from './manual-signer.ts';
import type { Signer, SigningAbility } from './signer.ts';

/** In order of preference; the last one can always help. */
const SIGNERS: readonly Signer[] = [stellarSigner, manualSigner];

export interface ChosenSigner {
  signer: Signer;
  ability: Exclude<SigningAbility, { can: 'no' }>;
  /** Why the signers before it could not, as sentences for the user. */
  declined: string[];
}

export async function chooseSigner(payment: Payment): Promise<ChosenSigner> {
  const declined: string[] = [];
  for (const signer of SIGNERS) {
    const ability = await signer.canSign(payment);
    if (ability.can !== 'no') return { signer, ability, declined };
    declined.push(ability.why);
  }
  return { signer: manualSigner, ability: { can: 'elsewhere' }, declined };
}

export function signerById(id: string): Signer {
  return SIGNERS.find((signer) => signer.id === id) ?? manualSigner;
}
