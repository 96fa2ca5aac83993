import { checkAddress } from '../addresses/check-address.ts';
import { isAmount } from '../amounts.ts';
import type { Network } from '../enumerations.ts';
import { NETWORK_TABLE, paymentUri } from './table.ts';
import type { NamedAsset, PaymentUriInput, PaymentUriParts } from './types.ts';

/* Apart from the table: pages load that one first, and checkers of addresses later. */

interface ParsedPaymentUri extends PaymentUriInput {
  readonly network: Network;
}

/**
 * The facts of a payment link as this package writes it; undefined for every other text. A link is accepted only when
 * the facts read from it build the very same link again, so that nothing in it is overlooked: no second amount, no
 * parameter that another wallet would obey. A token link contains neither the token's name nor its decimals; without
 * `token` the asset is its contract, and the amount is in its smallest unit.
 */
export function parsePaymentUri(uri: string, token?: NamedAsset): ParsedPaymentUri | undefined {
  const parts = takeApart(uri);
  if (parts === undefined) return undefined;
  for (const { network, nativeAsset: asset, decimals, paymentUri: standard } of NETWORK_TABLE) {
    const facts = standard?.read(parts, { asset, decimals }, token);
    if (facts && isSound(network, facts) && paymentUri(network, facts) === uri) return { network, ...facts };
  }
  return undefined;
}

function isSound(network: Network, { address, contract, issuer, amount }: PaymentUriInput): boolean {
  const addresses = [address, contract, issuer].filter((text) => text !== null && text !== undefined);
  const areStored = addresses.every((text) => {
    const check = checkAddress(network, text);
    return check.ok && check.address === text;
  });
  return areStored && (amount === null || amount === undefined || isAmount(amount));
}

function takeApart(uri: string): PaymentUriParts | undefined {
  const mark = uri.indexOf('?');
  const path = mark < 0 ? uri : uri.slice(0, mark);
  const query = new Map<string, string>();
  try {
    for (const parameter of mark < 0 ? [] : uri.slice(mark + 1).split('&')) {
      const equals = parameter.indexOf('=');
      query.set(parameter.slice(0, equals), decodeURIComponent(parameter.slice(equals + 1)));
    }
  } catch {
    return undefined;
  }
  return { path, query };
}
