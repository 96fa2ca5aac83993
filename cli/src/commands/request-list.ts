import type { PaymentRequest, PaymentRequestStatus } from '@payassent/sdk';
import { CONNECTION_OPTIONS, openConnection } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { wholeNumber } from '../duration.ts';
import { EXIT } from '../exit-codes.ts';
import { createOutput, partyName, plain } from '../output.ts';
import { describeRequest } from '../request-text.ts';
import { oneRequestId, readSettings, SERVICE_OPTIONS } from '../settings.ts';

const OPTIONS = { ...SERVICE_OPTIONS, ...CONNECTION_OPTIONS } as const;

export const requestList = defineCommand({
  name: 'request list',
  summary: 'show the requests of the connection, newest first',
  options: {
    ...OPTIONS,
    status: { type: 'string', placeholder: 'status', summary: 'only those in this status' },
    recipient: { type: 'string', placeholder: 'rcp_…', summary: 'only those to this payee' },
    limit: { type: 'string', placeholder: 'number', summary: 'how many [20]' },
  },
  async run(io, { values, isJson }) {
    const { status, recipient } = values;
    const limit = wholeNumber('limit', values.limit ?? '20', 1, 10_000);
    const client = await openConnection(io, readSettings(io, values), values, isJson);
    const query = {
      limit: Math.min(limit, 100),
      ...(status === undefined ? {} : { status: status as PaymentRequestStatus }),
      ...(recipient === undefined ? {} : { recipient_id: recipient }),
    };
    const found: PaymentRequest[] = [];
    for await (const request of client.paymentRequests.each(query, { signal: io.signal }))
      if (found.push(request) >= limit) break;
    createOutput(io, isJson).result(
      { payment_requests: found },
      found.map(line).join('\n') || 'No request yet.',
    );
    return EXIT.ok;
  },
});

function line({ request_id, status, payment, payee, created_at }: PaymentRequest): string {
  return `${plain(request_id)}  ${status}  ${payment.amount} ${plain(payment.asset)}  ${partyName(payee.name)}  ${created_at}`;
}

export const requestWithdraw = defineCommand({
  name: 'request withdraw',
  summary: 'take a request back before the user decides',
  positionals: '<request id>',
  options: OPTIONS,
  details:
    'When the wallet signs at the same moment, one of the two wins; invalid_status_transition means the user.',
  async run(io, { values, positionals, isJson }) {
    const requestId = oneRequestId(positionals);
    const client = await openConnection(io, readSettings(io, values), values, isJson);
    const { payment_request } = await client.paymentRequests.withdraw(requestId, { signal: io.signal });
    createOutput(io, isJson).result({ payment_request }, describeRequest(payment_request));
    return EXIT.ok;
  },
});

export const payeesList = defineCommand({
  name: 'payees list',
  summary: 'show whom the agent may ask its user to pay',
  options: {
    ...OPTIONS,
    query: { type: 'string', placeholder: 'text', summary: 'part of the name or the domain' },
  },
  async run(io, { values, isJson }) {
    const client = await openConnection(io, readSettings(io, values), values, isJson);
    const query = values.query === undefined ? {} : { q: values.query };
    const payees = [];
    for await (const payee of client.payees.each(query, { signal: io.signal })) payees.push(payee);
    const rows = payees.map(
      (one) =>
        `${one.recipient_id}  ${plain(one.payment.asset)} on ${one.payment.network}  ${partyName(one.name)} (${plain(one.domain)})`,
    );
    createOutput(io, isJson).result({ payees }, rows.join('\n') || 'Nobody yet.');
    return EXIT.ok;
  },
});
