import { Type } from 'typebox';
import { ErrorCatalogueEntrySchema } from '../records/envelopes.ts';
import { operation } from './operation.ts';

export const listErrors = operation({
  id: 'listErrors',
  method: 'GET',
  path: '/v1/errors',
  summary: 'List every error code with its status, meaning and recovery',
  tag: 'Catalogue',
  credential: [],
  answer: Type.Object({
    errors: Type.Array(ErrorCatalogueEntrySchema),
    audit_event_types: Type.Array(Type.String()),
  }),
});
