import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';

export type PolicyInput = BodyOf<typeof api.createAutomationPolicy>;

export type PolicyChange = BodyOf<typeof api.updateAutomationPolicy>;

/** What PATCH may change and POST may fill in. */
export type Thresholds = Pick<
  PolicyInput,
  'single_tx_limit' | 'cumulative_limit' | 'validity_window' | 'allowlist'
>;

export type EvaluateInput = BodyOf<typeof api.evaluateAutomationPolicy>;
