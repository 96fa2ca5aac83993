import type { PaymentRequest } from '@payassent/sdk';
import { agentName } from './agent-name.ts';

const COLUMNS: ReadonlyArray<readonly [string, (request: PaymentRequest) => string | null | undefined]> = [
  ['request_id', ({ request_id }) => request_id],
  ['created_at', ({ created_at }) => created_at],
  ['updated_at', ({ updated_at }) => updated_at],
  ['status_by_wallet', ({ status }) => status],
  ['settlement_by_chain', ({ settlement }) => settlement?.state],
  ['amount', ({ payment }) => payment.amount],
  ['asset', ({ payment }) => payment.asset],
  ['network', ({ payment }) => payment.network],
  ['issuer', ({ payment }) => payment.issuer],
  ['contract', ({ payment }) => payment.contract],
  ['payee', ({ payee }) => payee.name],
  ['domain', ({ payee }) => payee.domain],
  ['address', ({ payment }) => payment.to],
  ['memo', ({ payment }) => payment.memo],
  ['agent', agentName],
  ['tx_hash', ({ tx_hash }) => tx_hash],
  ['reason', ({ reason }) => reason],
  ['connection_id', ({ connection_id }) => connection_id],
];

/** Programs for tables take a text that begins like this for a formula, which may reach out of the table. */
const LIKE_A_FORMULA = /^[\s]*[=+\-@\t\r]/;

function cell(value: string): string {
  const harmless = LIKE_A_FORMULA.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** RFC 4180. Amounts are the digits of the record, never a number that was rounded. */
export function toCsv(requests: readonly PaymentRequest[]): string {
  const lines = requests.map((request) => COLUMNS.map(([, read]) => cell(read(request) ?? '')));
  return [COLUMNS.map(([name]) => cell(name)), ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}
