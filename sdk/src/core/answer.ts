import { type Issue, parseJsonKeepingDigits } from '@payassent/protocol';
import type { Approval, PendingChange } from '../contract.ts';
import { type ApiFailure, apiFailure, type Refusal } from '../errors/api-error.ts';
import { type CallFacts, UnexpectedAnswerError } from '../errors/transport.ts';
import { ChangePendingError, SecondOwnerNeededError } from '../errors/waiting.ts';
import type { RawAnswer } from './attempt.ts';
import type { Call } from './call.ts';
import { parseRetryAfter } from './rate-limits.ts';

export type Members = Record<string, unknown>;

type Understood =
  | { ok: true; members: Members }
  | { ok: false; error: ApiFailure | UnexpectedAnswerError | SecondOwnerNeededError | ChangePendingError };

/** Removes the envelope, of either surface. A response without an envelope was not sent by the service. */
export function understand(call: Call, raw: RawAnswer, facts: CallFacts, now: number): Understood {
  const retryAfterMs = parseRetryAfter(raw.headers.get('retry-after'), now);
  const unexpected = (problem: string): Understood => ({
    ok: false,
    error: new UnexpectedAnswerError(raw.status, problem, facts, retryAfterMs),
  });
  if (raw.status === 0 || (raw.status >= 300 && raw.status < 400)) return unexpected('with a redirect');
  const body = parseObject(raw);
  if (!body) return unexpected('without a JSON object');

  const error = asObject(body['error']);
  const failed = body['ok'] === false || body['success'] === false;
  if (failed && raw.status >= 400 && typeof error?.['code'] === 'string')
    return { ok: false, error: apiFailure(readRefusal(raw.status, body, error, retryAfterMs), facts) };

  const members = call.surface === 'second' && !call.isBare ? asObject(body['data']) : body;
  const succeeded = call.isBare || body[call.surface === 'second' ? 'success' : 'ok'] === true;
  if (!succeeded || raw.status >= 300 || !members) return unexpected('in an unknown form');
  const approval = asObject(members['approval']);
  if (raw.status === 202 && approval && !call.answer.includes('approval'))
    return { ok: false, error: new SecondOwnerNeededError(approval as unknown as Approval) };
  const change = asObject(members['pending_change']);
  if (raw.status === 202 && change && !call.answer.includes('pending_change'))
    return { ok: false, error: new ChangePendingError(change as unknown as PendingChange) };
  if (!call.answer.every((name) => Object.hasOwn(members, name)))
    return unexpected(`without ${call.answer.filter((name) => !Object.hasOwn(members, name)).join(', ')}`);
  const { ok: _, ...rest } = members;
  return { ok: true, members: rest };
}

function readRefusal(
  httpStatus: number,
  body: Members,
  error: Members,
  retryAfterMs: number | undefined,
): Refusal {
  const details = asObject(error['details']) ?? {};
  const requestId = error['request_id'] ?? body['request_id'];
  const field = error['field'];
  return {
    httpStatus,
    serverCode: String(error['code']),
    message: typeof error['message'] === 'string' ? error['message'] : String(error['code']),
    requestId: typeof requestId === 'string' ? requestId : undefined,
    field: typeof field === 'string' ? field : undefined,
    issues: readIssues(error['issues'] ?? details['issues']),
    moreIssues: readCount(error['more_issues'] ?? details['more_issues']),
    details,
    retryAfterMs,
  };
}

function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function readIssues(value: unknown): Issue[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry): entry is Issue => {
    const { field, code, message } = asObject(entry) ?? {};
    return typeof field === 'string' && typeof code === 'string' && typeof message === 'string';
  });
}

function parseObject(raw: RawAnswer): Members | undefined {
  if (!/^application\/json\b/i.test(raw.headers.get('content-type') ?? '')) return undefined;
  try {
    return asObject(parseJsonKeepingDigits(raw.text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}
