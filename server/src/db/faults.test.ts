import { describe, expect, it } from 'vitest';
import { faultOf } from './faults.ts';

describe('a fault of a distributed database that passes', () => {
  it('is told from an error of ours by what Citus says', () => {
    const said = (code: string, message: string, routine?: string) =>
      faultOf(Object.assign(new Error(message), { code, routine }));
    expect(said('XX000', 'could not find valid entry for shard 102095')).toBe('placement');
    expect(said('42P01', 'relation "public.payment_requests_102008" does not exist')).toBe('placement');
    expect(said('XX000', 'server closed the connection unexpectedly', 'ReportResultError')).toBe(
      'connection',
    );
    // Ours: they would fail again.
    expect(said('42P01', 'relation "payment_requests" does not exist')).toBeUndefined();
    expect(said('XX000', 'cache lookup failed for relation 1', 'ReportResultError')).toBeUndefined();
    expect(said('XX000', 'server closed the connection unexpectedly')).toBeUndefined();
  });
});
