import type * as english from '../../portal/areas.ts';
import type { Translated } from '../translated.ts';

export const areaTexts: Translated<typeof english.areaTexts> = {
  groups: { setup: 'Einrichten', activity: 'Vorgänge', control: 'Verwaltung' },
  home: 'Übersicht',
  domains: 'Domains',
  recipients: 'Zahlungsempfänger',
  agents: 'Agenten',
  connections: 'Verbindungen',
  paymentRequests: 'Zahlungsanfragen',
  webhooks: 'Webhooks',
  access: 'API-Zugang',
  policies: 'Regeln',
  audit: 'Änderungsprotokoll',
  organization: 'Organisation',
  team: 'Team',
  approvals: 'Anträge',
  safety: 'Ihre Anmeldung',
};
