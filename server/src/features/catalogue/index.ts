import { AUDIT_EVENT_TYPES, ERRORS } from '@countersign/protocol';
import { Type } from 'typebox';
import type { Feature } from '../../feature.ts';
import { defineRoute } from '../../http/route.ts';

const errors = Object.entries(ERRORS).map(([code, entry]) => ({
  code,
  http_status: entry.httpStatus,
  meaning: entry.meaning,
  recovery: entry.recovery,
  safe_to_retry: entry.safeToRetry,
}));

/** The published lists: what can go wrong and what is written down. */
export const catalogueFeature: Feature = {
  name: 'catalogue',
  routes: [
    defineRoute({
      method: 'GET',
      path: '/v1/errors',
      summary: 'List every error code with its status, meaning and recovery',
      tag: 'Catalogue',
      credential: [],
      answer: Type.Object({
        errors: Type.Array(
          Type.Object({
            code: Type.String(),
            http_status: Type.Integer(),
            meaning: Type.String(),
            recovery: Type.String(),
            safe_to_retry: Type.Boolean(),
          }),
        ),
        audit_event_types: Type.Array(Type.String()),
      }),
      run: async () => ({ errors, audit_event_types: AUDIT_EVENT_TYPES }),
    }),
  ],
};
