import { AUDIT_EVENT_TYPES, ERROR_CODES, ERRORS, REJECTION_REASONS } from '@payassent/protocol';
import { listErrors, listNetworks } from '@payassent/protocol/api';
import { implement } from '../../http/route.ts';
import type { Feature } from '../feature.ts';
import { networkInfos } from './networks.ts';

const errors = ERROR_CODES.map((code) => {
  const entry = ERRORS[code];
  return {
    code,
    http_status: entry.httpStatus,
    meaning: entry.meaning,
    recovery: entry.recovery,
    safe_to_retry: entry.safeToRetry,
  };
});

/** The published lists: what can go wrong, what is written down, and which networks there are. */
export const catalogueFeature = (): Feature => ({
  name: 'catalogue',
  routes: [
    implement(listErrors, {
      run: async () => ({
        errors,
        reason_codes: [...REJECTION_REASONS],
        audit_event_types: [...AUDIT_EVENT_TYPES],
      }),
    }),
    implement(listNetworks, {
      run: async ({ context }) => ({ networks: networkInfos(context.config.enabledNetworks) }),
    }),
  ],
});
