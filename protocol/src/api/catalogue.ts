import { ErrorCatalogueEntrySchema } from '../records/envelopes.ts';
import { NetworkInfoSchema } from '../records/network.ts';
import { record, Type } from '../records/schema.ts';
import { operations } from './operation.ts';

const operation = operations({ tag: 'Catalogue', credential: [] });

export const listErrors = operation('listErrors', 'GET /v1/errors', {
  summary: 'List every error code with its status, meaning and recovery',
  description:
    'The same table as docs/ERRORS.md. A client that meets a code that it does not know finds it here.',
  answer: record('ErrorCatalogue', 'Every code that the service can return.', {
    errors: Type.Array(ErrorCatalogueEntrySchema, { description: 'Every error code.' }),
    reason_codes: Type.Array(Type.String(), {
      description: 'Reasons that wallets should use when they reject; others are allowed.',
    }),
    audit_event_types: Type.Array(Type.String(), { description: 'Every type of audit event.' }),
  }),
});

export const listNetworks = operation('listNetworks', 'GET /v1/networks', {
  summary: 'List every network with its asset, address form, memo and largest amount',
  description: 'The same table as docs/NETWORKS.md, and which of them this service has enabled.',
  answer: record('NetworkCatalogue', 'Every network that payees can be on.', {
    networks: Type.Array(NetworkInfoSchema, { description: 'Every network.' }),
  }),
});
