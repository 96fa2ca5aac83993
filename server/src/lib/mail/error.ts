/** A mail that was not handed over. The message carries no address, text or password. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** True when trying the same mail again cannot help: the server refused this recipient or message. */
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean) {
    super(message);
    this.permanent = permanent;
  }
}
