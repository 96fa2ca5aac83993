import { describe, expect, it } from 'vitest';
import { describeFault, faultOf } from './faults.ts';

const said = (code: string, message: string, routine?: string) =>
  faultOf(Object.assign(new Error(message), { code, routine }));

describe('a lost connection', () => {
  it.each([
    ['XX000', 'SSL SYSCALL error: EOF detected', 'ReportResultError'],
    ['XX000', 'SSL connection has been closed unexpectedly', 'ReportResultError'],
    ['XX000', 'SSL error: unexpected eof while reading', 'ReportResultError'],
    ['XX000', 'no connection to the server', 'ReportResultError'],
    ['XX000', 'could not receive data from server: Connection reset by peer', 'ReportResultError'],
    ['XX000', 'postmaster was shut down, exiting', 'ProcessWaitEvents'],
    [
      'XX000',
      'failure on connection marked as essential: 10.0.0.7:5432',
      'HandleRemoteTransactionConnectionError',
    ],
    ['08P01', 'server conn crashed?'],
    ['08P01', 'server login has been failing, try again later (server_login_retry)'],
    ['08P01', 'query_wait_timeout'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number'],
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ])(
    'is recognised without a specific code: %s %s',
    (...[code, message, routine]: [string, string, string?]) => {
      expect(said(code, message, routine)).toBe('connection');
    },
  );

  it('is not what PostgreSQL reports about a message that the service got wrong', () => {
    expect(said('08P01', 'bind message supplies 1 parameters', 'exec_bind_message')).toBeUndefined();
  });

  it('is described to people with what to do', () => {
    const lost = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(describeFault(lost)).toBe(
      'The database cannot be reached, or the connection to it was lost (connect ECONNREFUSED 127.0.0.1:1). Check that ' +
        'the server runs and takes connections from here, and DATABASE_URL: host, port, user, password, sslmode.',
    );
    // When several addresses of one host all refuse, their joint error has no message.
    expect(describeFault(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toContain(
      '(ECONNREFUSED)',
    );
    expect(describeFault(new Error('a defect'))).toBeUndefined();
  });
});

it('a new connection that finds the disk full is a disk that is full', () => {
  expect(said('XX000', 'could not write init file', 'write_item')).toBe('storage');
});

describe('a passing failure of a distributed database', () => {
  it('is distinguished from an error of ours by the message of Citus', () => {
    expect(said('XX000', 'could not find valid entry for shard 102095')).toBe('placement');
    expect(said('42P01', 'relation "public.payment_requests_102008" does not exist')).toBe('placement');
    expect(said('XX000', 'server closed the connection unexpectedly', 'ReportResultError')).toBe(
      'connection',
    );
    // Defects of ours: a retry would fail again.
    expect(said('42P01', 'relation "payment_requests" does not exist')).toBeUndefined();
    expect(said('XX000', 'cache lookup failed for relation 1', 'ReportResultError')).toBeUndefined();
    expect(said('XX000', 'server closed the connection unexpectedly')).toBeUndefined();
  });
});
