/**
 * One row of the error table.
 *
 * `safeToRetry` answers one question for a program: may the very same request (same body, same idempotency
 * key) be sent again by a machine, after waiting or after refreshing the token, with a chance of success and
 * without any risk that something happens twice? Where a person must first change something it is false.
 */
export interface ErrorEntry {
  readonly httpStatus: number;
  readonly meaning: string;
  readonly recovery: string;
  readonly safeToRetry: boolean;
}
