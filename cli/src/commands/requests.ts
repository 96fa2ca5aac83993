import { canonicalJson } from '@payassent/protocol';
import type { PaymentRequest, PaymentRequestStatus } from '@payassent/sdk';
import { connectionCommand } from '../clients.ts';
import { UsageError } from '../command.ts';
import { partyName, plain } from '../output.ts';
import { describeRequest } from '../request-text.ts';
import { checkedIdentifier, given, wholeNumber } from '../settings.ts';

export const commands = [
  connectionCommand({
    name: 'request get',
    summary: "read a payment request; confirmed is the wallet's report",
    positionals: '<request id>',
    run(_io, { positionals }) {
      const requestId = oneRequestId(positionals);
      return async (client, options) => {
        const { payment_request } = await client.paymentRequests.get(requestId, options);
        return { document: { payment_request }, text: describeRequest(payment_request) };
      };
    },
  }),
  connectionCommand({
    name: 'request evidence',
    summary: 'read everything that proves the outcome of a request, for payassent verify',
    positionals: '<request id>',
    run(io, { positionals }) {
      const requestId = oneRequestId(positionals);
      return async (client, options) => {
        const bundle = await client.paymentRequests.evidence(requestId, options);
        // The very bytes that were served, and a line end.
        io.stdout.write(`${canonicalJson(bundle)}\n`);
        return undefined;
      };
    },
  }),
  connectionCommand({
    name: 'request list',
    summary: 'show the requests of the connection, newest first',
    options: {
      status: { type: 'string', placeholder: 'status', summary: 'only those in this status' },
      recipient: { type: 'string', placeholder: 'rcp_…', summary: 'only those to this payee' },
      limit: { type: 'string', placeholder: 'number', summary: 'how many [20]' },
    },
    run(_io, { values }) {
      const status = values.status as PaymentRequestStatus | undefined;
      const limit = wholeNumber('limit', values.limit ?? '20', 1, 10_000);
      const query = { limit: Math.min(limit, 100), ...given({ status, recipient_id: values.recipient }) };
      return async (client, options) => {
        const found: PaymentRequest[] = [];
        for await (const request of client.paymentRequests.each(query, options))
          if (found.push(request) >= limit) break;
        return {
          document: { payment_requests: found },
          text: found.map(line).join('\n') || 'No request yet.',
        };
      };
    },
  }),
  connectionCommand({
    name: 'request withdraw',
    summary: 'take a request back before the customer decides',
    positionals: '<request id>',
    details:
      'When the wallet signs at the same moment, one of the two wins; invalid_status_transition means the customer.',
    run(_io, { positionals }) {
      const requestId = oneRequestId(positionals);
      return async (client, options) => {
        const { payment_request } = await client.paymentRequests.withdraw(requestId, options);
        return { document: { payment_request }, text: describeRequest(payment_request) };
      };
    },
  }),
  connectionCommand({
    name: 'payees list',
    summary: 'list the payees that the agent may request payments to',
    options: { query: { type: 'string', placeholder: 'text', summary: 'part of the name or the domain' } },
    run:
      (_io, { values }) =>
      async (client, options) => {
        const payees = [];
        for await (const payee of client.payees.each(given({ q: values.query }), options)) payees.push(payee);
        const rows = payees.map(
          (one) =>
            `${one.recipient_id}  ${plain(one.payment.asset)} on ${one.payment.network}  ${partyName(one.name)} (${plain(one.domain)})`,
        );
        return { document: { payees }, text: rows.join('\n') || 'None yet.' };
      },
  }),
];

function line({ request_id, status, payment, payee, created_at }: PaymentRequest): string {
  return `${plain(request_id)}  ${status}  ${payment.amount} ${plain(payment.asset)}  ${partyName(payee.name)}  ${created_at}`;
}

function oneRequestId(positionals: readonly string[]): string {
  const [requestId, ...more] = positionals;
  if (!requestId || more.length > 0) throw new UsageError('Give one request id');
  return checkedIdentifier(requestId);
}
