/** What a family's checker answers: the form to store, or a sentence that tells a person what to fix. */
export type AddressCheck = { ok: true; address: string } | { ok: false; reason: string };

/**
 * A checker never throws, and looks at the length before it decodes or hashes: it is also called on text
 * that merely resembles an address.
 */
export type AddressChecker = (text: string) => AddressCheck;

export function accepted(address: string): AddressCheck {
  return { ok: true, address };
}

export function refused(reason: string): AddressCheck {
  return { ok: false, reason };
}
