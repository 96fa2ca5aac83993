import { findRiskyText, type Issue } from '@payassent/protocol';

/** Ids that no path can express. */
export const UNREACHABLE_IDS: ReadonlySet<string> = new Set(['.', '..']);

/** Ids are shown next to the payment: text rules against misleading a reader apply to them too. */
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
