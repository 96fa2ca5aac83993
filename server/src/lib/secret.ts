import { inspect } from 'node:util';

/**
 * A value that must never be printed. It hides itself from JSON, template strings and `util.inspect`, so a
 * configuration object can safely be logged as a whole.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
