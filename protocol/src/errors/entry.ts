/**
 * One row of the error table.
 *
 * `safeToRetry`: may a program send the very same request (same body, same idempotency key) again, after waiting or
 * after refreshing the token, with a chance of success and without any risk that something happens twice? It is false
 * where a person must first change something.
 */
export interface ErrorEntry {
  readonly httpStatus: number;
  readonly meaning: string;
  readonly recovery: string;
  readonly safeToRetry: boolean;
}
