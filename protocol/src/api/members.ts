import { Type } from 'typebox';
import { SECOND_SURFACE_NETWORK } from '../enumerations.ts';

/** Members that several inputs have, each stated once. */

/** An input takes the members it names and no others, so that a misspelt one is noticed. */
export const CLOSED = { additionalProperties: false } as const;

/** An id as a caller may send it: whether it names anything is found out later. */
export function reference(description: string) {
  return Type.String({ minLength: 1, maxLength: 160, description });
}

export const NAME = Type.String({ minLength: 1, maxLength: 200 });

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

export const TAKEOVER = Type.Optional(
  Type.Boolean({
    description:
      'After `signed`: this device reports on instead of the one that signed. The event says so. Ignored before.',
  }),
);
