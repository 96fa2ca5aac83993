import agents from 'lucide/dist/esm/icons/bot.mjs';
import organization from 'lucide/dist/esm/icons/building.mjs';
import approvals from 'lucide/dist/esm/icons/clipboard-check.mjs';
import policies from 'lucide/dist/esm/icons/file-text.mjs';
import safety from 'lucide/dist/esm/icons/fingerprint-pattern.mjs';
import domains from 'lucide/dist/esm/icons/globe.mjs';
import access from 'lucide/dist/esm/icons/key-round.mjs';
import recipients from 'lucide/dist/esm/icons/landmark.mjs';
import home from 'lucide/dist/esm/icons/layout-dashboard.mjs';
import connections from 'lucide/dist/esm/icons/link.mjs';
import paymentRequests from 'lucide/dist/esm/icons/receipt-text.mjs';
import audit from 'lucide/dist/esm/icons/scroll-text.mjs';
import team from 'lucide/dist/esm/icons/users.mjs';
import webhooks from 'lucide/dist/esm/icons/webhook.mjs';
import { Drawing, type Shapes } from '../../ui/icon.tsx';
import type { AreaName } from '../areas.tsx';

const ICONS: Readonly<Record<AreaName, Shapes>> = {
  home,
  domains,
  recipients,
  agents,
  paymentRequests,
  connections,
  webhooks,
  policies,
  access,
  audit,
  organization,
  team,
  approvals,
  safety,
};

/** Separate from the icons of all pages: the wallet shows none of these, and need not load them. */
export function AreaIcon({ area }: { area: AreaName }) {
  return <Drawing shapes={ICONS[area]} />;
}
