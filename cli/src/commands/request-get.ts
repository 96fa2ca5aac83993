import { CONNECTION_OPTIONS, openConnection } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { describeRequest } from '../request-text.ts';
import { oneRequestId, readSettings, SERVICE_OPTIONS } from '../settings.ts';

export const requestGet = defineCommand({
  name: 'request get',
  summary: 'read a payment request; confirmed is what the wallet says',
  positionals: '<request id>',
  options: { ...SERVICE_OPTIONS, ...CONNECTION_OPTIONS },
  async run(io, { values, positionals, isJson }) {
    const settings = readSettings(io, values);
    const requestId = oneRequestId(positionals);
    const client = await openConnection(io, settings, values, isJson);
    const { payment_request } = await client.paymentRequests.get(requestId, {
      signal: io.signal,
    });
    createOutput(io, isJson).result({ payment_request }, describeRequest(payment_request));
    return EXIT.ok;
  },
});
