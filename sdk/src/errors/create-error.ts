import { CallError, type CallFacts } from './base.ts';
import { repeatHint } from './transport.ts';

/**
 * Something other than the answer ended a create: an aborted signal, the store, the key that signs, or the collection of
 * a rotated token. `cause` is what it was.
 */
export class CreateInterruptedError extends CallError {
  override readonly name = 'CreateInterruptedError';
  override readonly code = 'create_interrupted';

  /** Made by the SDK. */
  constructor(cause: unknown, facts: CallFacts) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${facts.call} was interrupted: ${reason}${repeatHint(facts)}`, facts, false);
    this.cause = cause;
  }
}
