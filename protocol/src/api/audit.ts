import { Type } from 'typebox';
import { AuditEventSchema } from '../records/merchant.ts';
import { operation } from './operation.ts';
import { PAGE_QUERY, pageOf } from './pages.ts';

const AuditQuery = Type.Object({
  ...PAGE_QUERY,
  type: Type.Optional(Type.String()),
  target_id: Type.Optional(Type.String()),
});

export const listAuditEvents = operation({
  id: 'listAuditEvents',
  method: 'GET',
  path: '/v1/audit-events',
  summary: 'List what changed a right or a secret in this organization',
  tag: 'Audit',
  credential: ['merchant'],
  limit: 'reads',
  query: AuditQuery,
  answer: pageOf('audit_events', AuditEventSchema),
});

export const listWalletAuditEvents = operation({
  id: 'listWalletAuditEvents',
  method: 'GET',
  path: '/v1/wallets/current/audit-events',
  summary: 'List what changed a right or a secret of this wallet',
  description:
    'Its devices, codes, connections and policies. What a merchant did has the actor merchant with its name.',
  tag: 'Audit',
  credential: ['wallet'],
  limit: 'reads',
  query: AuditQuery,
  answer: pageOf('audit_events', AuditEventSchema),
});
