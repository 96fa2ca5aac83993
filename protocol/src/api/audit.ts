import type { AuditEventType } from '../event-types.ts';
import { AuditEventSchema } from '../records/merchant.ts';
import { record, Type, typed } from '../records/schema.ts';
import { operations } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const operation = operations({ tag: 'Audit', credential: ['merchant'] });

const AuditQuery = record('AuditQuery', 'Which audit events.', {
  ...PAGE_QUERY,
  type: Type.Optional(
    typed<AuditEventType>('AuditEventType', { type: 'string', description: 'Only acts of this type.' }),
  ),
  target_id: Type.Optional(Type.String({ description: 'Only acts on this record.' })),
});

const AuditPage = pageOf('AuditPage', 'audit_events', AuditEventSchema);

export const listAuditEvents = operation('listAuditEvents', 'GET /v1/audit-events', {
  sdk: 'MerchantAudit.list',
  summary: 'List what changed a right or a secret in this organization',
  description: 'Newest first. Entries are written with the act itself and never change.',
  query: AuditQuery,
  answer: AuditPage,
});

export const listWalletAuditEvents = operation(
  'listWalletAuditEvents',
  'GET /v1/wallets/current/audit-events',
  {
    sdk: 'WalletAudit.list',
    summary: 'List what changed a right or a secret of this wallet',
    description:
      'Its devices, codes, connections and policies. What a merchant did has the actor merchant with its name.',
    credential: ['wallet'],
    query: AuditQuery,
    answer: AuditPage,
  },
);
