import type { PaymentRequest } from '@payassent/sdk';

/**
 * The record tells when it was made and when it changed last, not the times between. Anyone who watches sees each change
 * as it comes, so what was read is remembered as long as the page lives.
 */
const seen = new Map<string, Map<number, string>>();
const REMEMBER_AT_MOST = 500;

export function noteSeen(request: PaymentRequest): PaymentRequest {
  const name = `${request.connection_id} ${request.request_id}`;
  const times = seen.get(name) ?? new Map<number, string>();
  times.set(request.state_version, request.updated_at);
  seen.delete(name);
  seen.set(name, times);
  const oldest = seen.keys().next().value;
  if (seen.size > REMEMBER_AT_MOST && oldest !== undefined) seen.delete(oldest);
  return request;
}

export interface Step {
  status: PaymentRequest['status'];
  /** Undefined when this page cannot know it. */
  at: string | undefined;
}

const WAY = ['pending', 'signed', 'broadcasted', 'confirmed'] as const;

/** Every step the request has taken: its version counts them, and there is only one way to each status. */
export function stepsOf(request: PaymentRequest): Step[] {
  const times = seen.get(`${request.connection_id} ${request.request_id}`);
  return Array.from({ length: request.state_version }, (_, index) => {
    const isLast = index === request.state_version - 1;
    const status = isLast ? request.status : (WAY[index] ?? 'pending');
    if (index === 0) return { status, at: request.created_at };
    return { status, at: isLast ? request.updated_at : times?.get(index + 1) };
  });
}
