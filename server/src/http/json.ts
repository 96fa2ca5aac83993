import { parseStrictJsonBytes, type StrictJsonFault } from '@payassent/protocol';
import { AppError } from '../errors.ts';

const MAX_DEPTH = 32;

const MESSAGES: Record<StrictJsonFault, string> = {
  malformed: 'The body is not valid JSON in UTF-8 (without a byte order mark).',
  too_deep: `The body is nested deeper than ${MAX_DEPTH} levels.`,
  duplicate_key: 'A key appears twice in one object.',
  forbidden_character: 'A string contains U+0000 or a lone surrogate.',
  number_overflow: 'A number is too large; send it as a string.',
};

export interface ReadJson {
  value: unknown;
  /** The same with numbers digit for digit; absent where that makes no difference. */
  exact?: unknown;
}

/** The body as a value, or 400 `invalid_json` with what is wrong. */
export function readJson(bytes: Uint8Array): ReadJson {
  const parsed = parseStrictJsonBytes(bytes, MAX_DEPTH, { keepsNumbers: true });
  if (parsed.ok) return parsed;
  throw new AppError('invalid_json', { message: MESSAGES[parsed.reason] });
}
