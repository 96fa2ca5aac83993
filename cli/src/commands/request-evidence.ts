import { canonicalJson } from '@payassent/protocol';
import { CONNECTION_OPTIONS, openConnection } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { oneRequestId, readSettings, SERVICE_OPTIONS } from '../settings.ts';

export const requestEvidence = defineCommand({
  name: 'request evidence',
  summary: 'read everything that proves what became of a request, for payassent verify',
  positionals: '<request id>',
  options: { ...SERVICE_OPTIONS, ...CONNECTION_OPTIONS },
  async run(io, { values, positionals, isJson }) {
    const settings = readSettings(io, values);
    const requestId = oneRequestId(positionals);
    const client = await openConnection(io, settings, values, isJson);
    const bundle = await client.paymentRequests.evidence(requestId, { signal: io.signal });
    // The very bytes that were served, and a line end.
    io.stdout.write(`${canonicalJson(bundle)}\n`);
    return EXIT.ok;
  },
});
