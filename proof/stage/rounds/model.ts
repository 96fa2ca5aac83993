/**
 * A plain model of payment requests, written from the table of the specification and its fine print. It shares no code
 * with the service, so that the two can disagree.
 */
export type Status = 'pending' | 'signed' | 'broadcasted' | 'confirmed' | 'failed' | 'expired' | 'rejected';

interface ModelEvent {
  status: Status;
  previous_status: Status;
  state_version: number;
  actor: 'wallet' | 'system';
  occurred_at: number;
}

export interface ModelRequest {
  requestId: string;
  connection: number;
  key: string;
  body: Record<string, unknown>;
  amount: string;
  expiresAt: number;
  status: Status;
  stateVersion: number;
  txHash: string | null;
  reason: string | null;
  decidedBy: number | null;
  updatedAt: number;
  events: ModelEvent[];
}

export interface Model {
  now: number;
  connections: { status: 'active' | 'paused' | 'revoked' }[];
  requests: ModelRequest[];
}

export function emptyModel(now: number, connections: number): Model {
  return {
    now,
    connections: Array.from({ length: connections }, () => ({ status: 'active' as const })),
    requests: [],
  };
}

function move(request: ModelRequest, to: Status, actor: 'wallet' | 'system', at: number): void {
  request.stateVersion += 1;
  request.events.push({
    status: to,
    previous_status: request.status,
    state_version: request.stateVersion,
    actor,
    occurred_at: at,
  });
  request.status = to;
  request.updatedAt = at;
}

/** Time passes; what was still pending and is past its time has expired at that time. */
export function passTime(model: Model, durationMs: number): void {
  model.now += durationMs;
  for (const request of model.requests)
    if (request.status === 'pending' && request.expiresAt < model.now)
      move(request, 'expired', 'system', request.expiresAt);
}

export type Expected = { status: number; code?: string; hasEvent?: boolean };

export function expectCreate(
  model: Model,
  connection: number,
  key: string,
  body: Record<string, unknown>,
): Expected & { replay?: ModelRequest } {
  const state = model.connections[connection]?.status;
  if (state === 'revoked') return { status: 401, code: 'token_revoked' };
  const known = model.requests.find((request) => request.connection === connection && request.key === key);
  if (known) {
    return JSON.stringify(known.body) === JSON.stringify(body)
      ? { status: 200, replay: known }
      : { status: 422, code: 'idempotency_key_reused' };
  }
  if (state === 'paused') return { status: 403, code: 'connection_paused' };
  return { status: 201 };
}

export function revoke(model: Model, connection: number): void {
  const state = model.connections[connection];
  if (!state || state.status === 'revoked') return;
  state.status = 'revoked';
  for (const request of model.requests) {
    if (request.connection !== connection || request.status !== 'pending') continue;
    request.reason = 'connection_revoked';
    move(request, 'rejected', 'system', model.now);
  }
}

const TABLE: Partial<Record<Status, Status[]>> = {
  pending: ['signed', 'rejected', 'failed'],
  signed: ['broadcasted', 'failed'],
  broadcasted: ['confirmed', 'failed'],
};

/** Judges a report and applies it. */
export function applyReport(
  model: Model,
  request: ModelRequest,
  device: number,
  report: { status: Status; tx_hash?: string; takeover?: boolean },
): Expected {
  const { status: to, tx_hash: txHash } = report;
  if (to === 'pending') return { status: 409, code: 'invalid_status_transition' };
  if (request.txHash !== null && txHash !== undefined && txHash !== request.txHash)
    return { status: 409, code: 'status_conflict' };
  // Whether the report or the job expires the request, the response is the same: an event, or none.
  if (request.status === 'expired' && to === 'expired') return { status: 200 };
  if (request.status === to) {
    if (request.decidedBy !== device) return { status: 409, code: 'status_conflict' };
    if (request.txHash === null && txHash !== undefined) {
      request.txHash = txHash;
      request.updatedAt = model.now;
    }
    return { status: 200, hasEvent: false };
  }
  if (request.status === 'expired' && TABLE.pending?.includes(to))
    return { status: 409, code: 'payment_request_expired' };
  if (!TABLE[request.status]?.includes(to)) return { status: 409, code: 'invalid_status_transition' };
  if (request.status !== 'pending' && request.decidedBy !== device && report.takeover !== true)
    return { status: 409, code: 'status_conflict' };
  move(request, to, 'wallet', model.now);
  request.decidedBy = device;
  request.txHash ??= txHash ?? null;
  return { status: 200, hasEvent: true };
}
