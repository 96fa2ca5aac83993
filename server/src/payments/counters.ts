import type { CounterSpec } from '../telemetry/metrics.ts';

export const CREATED: CounterSpec<never> = {
  name: 'svc_payment_requests_created_total',
  help: 'Payment requests stored.',
  labels: [],
};

export const REPLAYED: CounterSpec<never> = {
  name: 'svc_payment_requests_replayed_total',
  help: 'Creates that returned the request which their key or id already had.',
  labels: [],
};

export const MOVED: CounterSpec<'from' | 'to'> = {
  name: 'svc_payment_request_transitions_total',
  help: 'Status changes of payment requests.',
  labels: ['from', 'to'],
};

export const EXPIRED: CounterSpec<never> = {
  name: 'svc_payment_requests_expired_total',
  help: 'Payment requests that passed their time undecided.',
  labels: [],
};

export const REFUSED: CounterSpec<'code'> = {
  name: 'svc_payment_requests_refused_total',
  help: 'Refused creates and status reports by error code.',
  labels: ['code'],
};
