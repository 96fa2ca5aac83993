import { type BundleParts, isObject } from './bundle.ts';
import { type ClaimOutcome, notClaimed, serviceWord } from './claims.ts';

/**
 * Claims that nothing in the bundle proves: the service's signature shows that it makes the statement, not that the
 * statement is true.
 */

/** The proof of the domain, which the service checked when the payee was verified. */
export function checkLookedUp({ payee }: BundleParts): ClaimOutcome {
  const evidence = payee?.['evidence'];
  if (!isObject(evidence)) return notClaimed('There is no payee whose domain was queried.');
  const input = isObject(evidence['input']) ? evidence['input'] : {};
  return serviceWord(
    `It found the proof of ${String(input['domain'])} by ${String(evidence['method'])} at ${String(evidence['verified_at'])}.`,
  );
}

/** With which credential the request was made. */
export function checkCreatedWith({ request }: BundleParts): ClaimOutcome {
  const createdWith = request['created_with'] ?? null;
  return createdWith === null
    ? notClaimed('The record does not name the credential with which it was created.')
    : serviceWord(`It was created with: ${String(createdWith)}.`);
}

/** What observers saw on the chain. */
export function checkSettlement({ settlement }: BundleParts): ClaimOutcome {
  if (settlement === null) return notClaimed('The chain was not observed.');
  const { transaction } = settlement;
  const found = isObject(transaction) ? ` in ${String(transaction['tx_hash'])}` : '';
  return serviceWord(
    `The chain showed "${String(settlement['state'])}"${found}. Check the transaction on the chain.`,
  );
}
