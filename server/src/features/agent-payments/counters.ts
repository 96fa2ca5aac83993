import type { CounterSpec } from '../../telemetry/metrics.ts';

export const CREATED: CounterSpec<'initiated_by'> = {
  name: 'svc_agent_payments_created_total',
  help: 'Agent payments stored, by who initiated them.',
  labels: ['initiated_by'],
};

export const MOVED: CounterSpec<'from' | 'to'> = {
  name: 'svc_agent_payment_transitions_total',
  help: 'Status changes of agent payments.',
  labels: ['from', 'to'],
};

export const HELD_BACK: CounterSpec<'threshold'> = {
  name: 'svc_agent_payments_held_back_total',
  help: 'Intents that need a human, by each threshold exceeded.',
  labels: ['threshold'],
};
