import type { IncomingMessage } from 'node:http';
import { findRiskyText, type Issue } from '@payassent/protocol';
import { AppError } from '../errors.ts';
import { headerText, headerValues } from './headers.ts';

const MAX_CODE_POINTS = 256;

/**
 * `X-Idempotency-Key`, `Idempotency-Key` and the body's `idempotency_key` are one thing. Two that differ are
 * refused before anything else is judged; an empty one counts as absent.
 */
export function readIdempotencyKey(
  request: IncomingMessage,
  body: Record<string, unknown> | undefined,
): string | undefined {
  const sent = new Set<string>();
  for (const name of ['x-idempotency-key', 'idempotency-key']) {
    for (const value of headerValues(request, name)) sent.add(headerText(value));
  }
  const fromBody = body?.['idempotency_key'];
  if (typeof fromBody === 'string') sent.add(fromBody);
  sent.delete('');
  if (sent.size > 1) throw new AppError('IDEMPOTENCY_KEY_MISMATCH', { field: 'idempotency_key' });
  return [...sent][0];
}

export function idempotencyKeyIssues(key: string | undefined): Issue[] {
  if (key === undefined) return [];
  if ([...key].length > MAX_CODE_POINTS) {
    return [
      {
        field: 'idempotency_key',
        code: 'too_long',
        message: `idempotency_key must have at most ${MAX_CODE_POINTS} characters.`,
      },
    ];
  }
  // What the database cannot hold, and what is left of header bytes that were no UTF-8.
  if (/[\u0000\uFFFD]/u.test(key)) {
    return [
      {
        field: 'idempotency_key',
        code: 'invalid_format',
        message: 'idempotency_key must be valid UTF-8 without U+0000.',
      },
    ];
  }
  // Merchants read it in the record.
  return findRiskyText(key, 'idempotency_key');
}
