import { type BundleParts, isObject } from './bundle.ts';
import { type ClaimOutcome, notClaimed, serviceWord } from './claims.ts';

/** What the bundle states and nothing in it shows: the service signed that it says so, which does not make it true. */

/** The proof of the domain, which the service looked up when the payee was verified. */
export function checkLookedUp({ payee }: BundleParts): ClaimOutcome {
  const evidence = payee?.['evidence'];
  if (!isObject(evidence)) return notClaimed('There is no payee whose domain was looked up.');
  const input = isObject(evidence['input']) ? evidence['input'] : {};
  return serviceWord(
    `It found the proof of ${String(input['domain'])} by ${String(evidence['method'])} at ${String(evidence['verified_at'])}.`,
  );
}

/** With which credential the request was made. */
export function checkCreatedWith({ request }: BundleParts): ClaimOutcome {
  const createdWith = request['created_with'] ?? null;
  return createdWith === null
    ? notClaimed('The record does not say with which credential it was created.')
    : serviceWord(`It was created with: ${String(createdWith)}.`);
}

/** What observers saw on the chain. */
export function checkSettlement({ settlement }: BundleParts): ClaimOutcome {
  if (settlement === null) return notClaimed('The chain was not observed.');
  const { transaction } = settlement;
  const found = isObject(transaction) ? ` in ${String(transaction['tx_hash'])}` : '';
  return serviceWord(
    `The chain showed "${String(settlement['state'])}"${found}. Look the transaction up on the chain.`,
  );
}
