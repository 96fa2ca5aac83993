import type { ConnectionClient } from '../connection/client.ts';
import type { Payee } from '../contract.ts';
import type { CallOptions } from '../core/call.ts';
import { quoted, quotedName } from './outcome.ts';

const MOST_CANDIDATES = 20;

/** A payee as a model sees it: no address, so that none is copied from one place to another. */
export function payeeSummary({ recipient_id, name, domain, payment }: Payee): Record<string, string> {
  return { recipient_id, name, domain, network: payment.network, asset: payment.asset };
}

/** In the text too: a model that reads nothing else can name one of them in its next call. */
export function payeeList(payees: readonly Payee[]): string {
  return payees
    .map(
      ({ recipient_id, name, domain, payment }) =>
        `${recipient_id} ${quotedName(name)} (${domain}, ${quoted(payment.asset)})`,
    )
    .join(', ');
}

/** One payee, or those to choose from. */
export type FoundPayee = { payee: Payee } | { candidates: Payee[] };

/**
 * Exactly one payee must have this name or domain, without case. Otherwise the caller chooses: among the equal ones, else
 * among those that contain it, else among all.
 */
export async function findPayee(
  connection: ConnectionClient,
  wanted: string,
  options: CallOptions,
): Promise<FoundPayee> {
  const name = folded(wanted);
  const similar: Payee[] = [];
  const equal: Payee[] = [];
  for await (const payee of connection.payees.each({ q: wanted.trim() }, options)) {
    if (folded(payee.name) === name || folded(payee.domain) === name) equal.push(payee);
    else if (similar.length < MOST_CANDIDATES) similar.push(payee);
    if (equal.length >= MOST_CANDIDATES) break;
  }
  const [only] = equal;
  if (only && equal.length === 1) return { payee: only };
  if (equal.length > 1) return { candidates: equal };
  if (similar.length > 0) return { candidates: similar };
  const { payees } = await connection.payees.list({ limit: MOST_CANDIDATES }, options);
  return { candidates: payees };
}

function folded(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
