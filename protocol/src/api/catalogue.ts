import { Type } from 'typebox';
import { ErrorCatalogueEntrySchema } from '../records/envelopes.ts';
import { record } from '../records/schema.ts';
import { operation } from './operation.ts';

export const listErrors = operation({
  id: 'listErrors',
  method: 'GET',
  path: '/v1/errors',
  summary: 'List every error code with its status, meaning and recovery',
  description:
    'The same table as docs/ERRORS.md. A client that meets a code that it does not know finds it here.',
  tag: 'Catalogue',
  credential: [],
  answer: record('ErrorCatalogue', 'Every code that the service can answer with.', {
    errors: Type.Array(ErrorCatalogueEntrySchema, { description: 'Every error code.' }),
    audit_event_types: Type.Array(Type.String(), { description: 'Every type of audit event.' }),
  }),
});
