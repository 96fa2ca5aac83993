import { findRiskyText, type Issue } from '@payassent/protocol';

/** No path can name them. */
export const UNREACHABLE_IDS: ReadonlySet<string> = new Set(['.', '..']);

/** Ids are shown beside the payment: what would mislead in a text misleads in them too. */
export function idIssues(field: string, value: string, reserved: ReadonlySet<string>): Issue[] {
  if (!/\p{Cc}/u.test(value) && !reserved.has(value)) return findRiskyText(value, field);
  return [
    {
      field,
      code: 'invalid_format',
      message: `${field} must not contain control characters or be ${[...reserved].join(', ')}.`,
    },
  ];
}
