/** Something outside the service went wrong, such as a file that cannot be written. */
export class LocalError extends Error {
  override name = 'LocalError';
  readonly code: string;
  readonly advice: string | undefined;
  constructor(code: string, message: string, advice?: string) {
    super(message);
    this.code = code;
    this.advice = advice;
  }
}
