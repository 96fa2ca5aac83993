import type { Signer } from './signer.ts';

/**
 * The honest way without a key: the user's own wallet app signs and sends. Approving reserves the payment for this device
 * first, so that no second device pays it too; the hash is reported afterwards.
 */
export const manualSigner: Signer = {
  id: 'manual',
  canSign: async () => ({ can: 'elsewhere' }),
  sign: async () => ({}),
  submit: async () => ({ outcome: 'elsewhere' }),
};
